import type { IDataObject } from 'n8n-workflow';
import { idField, idsField } from '../describe/fields';
import type { Field, Settings } from '../input/field';
import { recordIn, recordsIn, textsIn } from '../lib';

export const exceptTags: Field = {
	...idsField(
		'tagIds',
		'Sites with one of these tags do not start the workflow, for example sites with a tag "Muted"',
	),
	displayName: 'Except Tag Names or IDs',
	name: 'exceptTagIds',
};

/** Each one counts on its own: n8n drops a parameter that the choice in another one hides. */
export const scopeFields: Field[] = [
	idField(
		'clientId',
		'Only sites of this client. A site that it gets or loses is included or excluded from then on.',
	),
	idField(
		'tagId',
		'Only sites with this tag. A site that gets or loses it is included or excluded from then on.',
	),
	{
		...idsField('siteIds', 'Only these sites'),
		hint: 'Only sites that match client, tag and sites. If all are blank, every site',
	},
];

/** The sites that the parameters choose, whose events start the workflow. */
export function scopeOf({ clientId, tagId, siteIds, exceptTagIds }: Settings) {
	const ids = siteIds === undefined ? undefined : textsIn(siteIds);
	const hasTag = ({ tags }: IDataObject, wanted: string[]) =>
		recordsIn(tags).some(({ id }) => wanted.includes(String(id)));
	const isAmong = (site: IDataObject): boolean => {
		const { id: client } = recordIn(site.client);
		if (clientId !== undefined && String(client ?? '') !== clientId) return false;
		if (tagId !== undefined && !hasTag(site, [String(tagId)])) return false;
		return ids?.includes(String(site.id)) ?? true;
	};
	const isExcepted = (site: IDataObject) => hasTag(site, textsIn(exceptTagIds));
	return {
		/** The sites that are chosen one by one. */
		ids,
		/** Whether sites enter and leave it. */
		isOpen: clientId !== undefined || tagId !== undefined,
		/** Identifies it: a change of it restarts the trigger. A change of excluded tags does not. */
		choice: { clientId, tagId, ids: ids && [...ids].sort() },
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
