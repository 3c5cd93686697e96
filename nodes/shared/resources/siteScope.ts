import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../describe';
import { asRequired, choice, idField, idsField, onlyWith, optionsFrom } from '../describe';
import type { Settings } from '../input/field';
import { recordsIn, textsIn, valueAt } from '../lib';

const scope = choice('scope', 'Sites', {
	closed: 'ofNode',
	noDataExpression: true,
	options: optionsFrom({
		all: 'All Sites',
		client: 'By Client',
		tag: 'By Tag',
		sites: 'Chosen Sites',
	}),
	default: 'all',
	description:
		'The sites whose events start the workflow. A site that gets or loses the tag or client is included or excluded from then on.',
});

export const exceptTags: Field = {
	...idsField(
		'tagIds',
		'Sites with one of these tags do not start the workflow, for example sites with a tag "Muted"',
	),
	displayName: 'Except Tag Names or IDs',
	name: 'exceptTagIds',
};

const of = (value: string, field: Field) => onlyWith(scope, value, asRequired(field));

export const scopeFields: Field[] = [
	scope,
	of('client', idField('clientId', 'Only sites of this client')),
	of('tag', idField('tagId', 'Only sites with this tag')),
	of('sites', idsField('siteIds', 'Only these sites')),
];

/** The sites that the parameters choose, whose events start the workflow. */
export function scopeOf({ clientId, tagId, siteIds, exceptTagIds }: Settings) {
	const ids = siteIds === undefined ? undefined : textsIn(siteIds);
	const hasTag = ({ tags }: IDataObject, wanted: string[]) =>
		recordsIn(tags).some(({ id }) => wanted.includes(String(id)));
	const isAmong = (site: IDataObject): boolean => {
		if (clientId !== undefined) return String(valueAt(site, 'client.id') ?? '') === clientId;
		if (tagId !== undefined) return hasTag(site, [String(tagId)]);
		return ids?.includes(String(site.id)) ?? true;
	};
	const isExcepted = (site: IDataObject) => hasTag(site, textsIn(exceptTagIds));
	const others =
		clientId === undefined && tagId === undefined ? { all: true } : { clientId, tagId };
	return {
		/** The sites that are chosen one by one. */
		ids,
		/** Whether sites enter and leave it. */
		isOpen: clientId !== undefined || tagId !== undefined,
		/** Identifies it: a change of it restarts the trigger. A change of excluded tags does not. */
		choice: (ids && [...ids].sort()) ?? others,
		/** Filters for a single site only. A filter by tag or client would report a site that enters it as an event. */
		query: ids?.length === 1 ? { 'filters[id:eq]': ids[0]! } : {},
		/** Whether a site is among its sites, also if a tag excludes it. */
		isAmong,
		isExcepted,
		/** Whether events of a site start the workflow. */
		has: (site: IDataObject) => isAmong(site) && !isExcepted(site),
	};
}

export type SiteScope = ReturnType<typeof scopeOf>;
