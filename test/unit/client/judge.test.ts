import type { IDataObject } from 'n8n-workflow';
import { limitsOf } from '../../../nodes/shared/access/credential';
import { isShown, judge } from '../../../nodes/shared/client/judge';
import type { ApiRequest } from '../../../nodes/shared/n8n/context';
import { filledIn } from '../../support/credential';
import { itemsOf } from '../../support/engine/contexts';

/** What a request is judged by where it has another form than those of the operations. */

const limits = limitsOf(filledIn({ siteAccess: 'selected', onlySites: 's1' }));
const judged = async (asked: ApiRequest) =>
	await judge(itemsOf().item, limits, asked, async () => ({ sites: [] }));

it('a request that nobody knows changes a record for each value in its body', async () => {
	const body: IDataObject = { ids: ['1', '2'], tag: { name: 'A', color: null } };
	expect(await judged({ method: 'POST', url: '/odd', body })).toMatchObject({ changes: 4 });
	expect(await judged({ method: 'POST', url: '/odd' })).toMatchObject({ changes: 1 });
});

it('a copy to something that is not an address leaves the account', async () => {
	const to = { type: 'internal', destination_url: 'https://' };
	const does = { effects: [], touches: { destination: 'migration' } };
	const asked = { method: 'POST' as const, url: '/sites/s1/odd', body: { migration: to }, does };
	expect(await judged(asked)).toMatchObject({ isAccountWide: true, sites: ['s1'] });
});

it.each([
	[['s1', 's2'], true],
	[['s2'], false],
	[{ selection: 'all' }, true],
	[{ selection: 'specific', ids: ['s2'] }, false],
	// In this form nobody knows which sites they are.
	[{ ids: ['s1'] }, false],
])('a record with the sites %j is shown: %s', (site_ids, is) => {
	expect(isShown(new Set(['s1']), '/tags', { id: '1', site_ids })).toBe(is);
});
