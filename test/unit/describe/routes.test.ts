import { act, get, idsField, on, resource } from '../../../nodes/shared/describe';

/** Names that have to fit: the compiler is the test, by what it must not accept. */

it('a route asks only for IDs that have a locator', () => {
	const known = get('Get tag', on('GET /tags/{tagId}', 'listed'));
	// @ts-expect-error There is no locator named incidentId.
	get('Get an incident', on('GET /incidents/{incidentId}', 'listed'));
	// @ts-expect-error One of two is not enough.
	const other = act('A', 'POST /sites/{siteId}/a/{aId}');
	expect(resource('Tag', 'reads', [known]).operations).toHaveLength(1);
	expect(other.route).toBe('POST /sites/{siteId}/a/{aId}');
});

it('a route that names no site says which sites it is about', () => {
	expect(get('Get site', 'GET /sites/{siteId}').touches).toEqual({});
	// @ts-expect-error Nothing says whether a credential with Only Sites allows it.
	expect(() => get('Get tag', 'GET /tags/{tagId}')).not.toThrow();
});

it('IDs are only offered by name where something loads them', () => {
	expect(idsField('siteIds', 'Sites').typeOptions).toEqual({ loadOptionsMethod: 'getSites' });
	// @ts-expect-error Nothing loads notes.
	expect(() => idsField('noteIds', 'Notes')).not.toThrow();
});
