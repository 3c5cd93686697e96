import type { IDataObject } from 'n8n-workflow';
import type { Field } from '../describe';
import { asRequired, choice, idField, idsField, onlyWith, optionsFrom } from '../describe';
import type { Settings } from '../input/field';
import { omit, recordsIn, textsIn, valueAt } from '../lib';

/** The sites that a trigger watches. */

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

/** An option of triggers. */
export const exceptTags: Field = {
	...idsField(
		'tagIds',
		'Sites with one of these tags do not start the workflow, for example sites with a tag "Muted"',
	),
	displayName: 'Except Tag Names or IDs',
	name: 'exceptTagIds',
};

/** A field that one scope needs. */
const of = (value: string, field: Field) => onlyWith(scope, value, asRequired(field));

/** The parameters that choose the sites. */
export const scopeFields: Field[] = [
	scope,
	of('client', idField('clientId', 'Only sites of this client')),
	of('tag', idField('tagId', 'Only sites with this tag')),
	of('sites', idsField('siteIds', 'Only these sites')),
];

/** The sites that the parameters choose. */
export function scopeOf({ clientId, tagId, siteIds, exceptTagIds }: Settings): SiteScope {
	const except = exceptTagIds ? { exceptTagIds: textsIn(exceptTagIds) } : {};
	if (clientId !== undefined) return { clientId: String(clientId), ...except };
	if (tagId !== undefined) return { tagId: String(tagId), ...except };
	return siteIds ? { siteIds: textsIn(siteIds), ...except } : { all: true, ...except };
}

/** Which sites the events are about. */
export type SiteScope = (
	{ all: true } | { tagId: string } | { clientId: string } | { siteIds: readonly string[] }
) & {
	/** Sites with one of these tags are excluded. */
	exceptTagIds?: readonly string[];
};

const hasTag = ({ tags }: IDataObject, ids: readonly string[]) =>
	recordsIn(tags).some(({ id }) => ids.includes(String(id)));

/** Whether a site in the scope is excluded by a tag. */
export const isExcepted = ({ exceptTagIds = [] }: SiteScope, site: IDataObject) =>
	hasTag(site, exceptTagIds);

/** Whether events of a site start the workflow. */
export const isInScope = (scope: SiteScope, site: IDataObject) =>
	isAmong(scope, site) && !isExcepted(scope, site);

/** Whether a site is among those of the scope. */
export function isAmong(scope: SiteScope, site: IDataObject): boolean {
	if ('tagId' in scope) return hasTag(site, [scope.tagId]);
	if ('clientId' in scope) return String(valueAt(site, 'client.id') ?? '') === scope.clientId;
	return 'siteIds' in scope ? scope.siteIds.includes(String(site.id)) : true;
}

/** Identifies the scope: a change of it restarts the trigger. A change of excluded tags does not. */
export const choiceOf = (scope: SiteScope): unknown =>
	'siteIds' in scope ? [...scope.siteIds].sort() : omit(scope, 'exceptTagIds');

/** Filters for a single site only. A filter by tag or client would report a site that enters the scope as an event. */
export const scopeQuery = (scope: SiteScope): IDataObject =>
	'siteIds' in scope && scope.siteIds.length === 1 ? { 'filters[id:eq]': scope.siteIds[0]! } : {};
