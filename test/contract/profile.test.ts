import path from 'node:path';
import { readProfile } from '../../sandbox/service/otherService';
import { builtOperations } from '../support/builtOperations';
import { mustSucceed, runNode, runOf } from '../support/engine';
import { fleetOnce } from '../support/fleet';
import { locator } from '../support/locator';
import { effectsOf, lists, reference, root } from '../support/reference';

/** The nodes on a service that answers as users of the running one have published. */

const profile = readProfile(path.join(root, 'sandbox/service/otherService/part-c.json'));

const fleet = fleetOnce({ sites: 30, profile });
let site: Record<string, any>;

beforeAll(async () => {
	const sites = await fleet.sites(30);
	// Lists of a site want backups and its log.
	site = sites.find(
		({ sync, backups, activity_logs: logs }) =>
			sync.last_sync_status === 'succeeded' && backups.enabled && logs.enabled,
	)!;
});

const run = async (operation: string, parameters: object) =>
	await runNode(fleet, runOf(operation, parameters));

const ofSite = (route: string) => (route.includes('{site_id}') ? { siteId: locator(site.id) } : {});

it.each(lists)('$route', async ({ route, operation }) => {
	const { json, error } = await run(operation, { ...ofSite(route), returnAll: false, limit: 3 });
	expect(error).toBeUndefined();
	expect(json.length).toBeLessThanOrEqual(3);
});

const singles = reference.filter(
	({ route, operation }) =>
		/^GET \/[a-z-]+\/\{\w+\}$/.test(route) && effectsOf(operation).includes('reads'),
);

it.each(singles)('$route', async ({ route, operation }) => {
	const [, list] = /^GET (\/[a-z-]+)/.exec(route)!;
	const { url } = (await builtOperations()).find(({ name }) => name === operation)!;
	const [, parameter] = /\{(\w+)\}/.exec(url)!;
	const { data } = await fleet.api.get(list!, { params: { perPage: 1 } });
	const [[first]] = Object.values<any>(data);
	const { json } = mustSucceed(await run(operation, { [parameter!]: locator(first.id) }));
	expect(json).toEqual([expect.objectContaining({ id: first.id })]);
});

it('a site in full, with fields that the reference does not have', async () => {
	const { json } = await run('site/site/get', { siteId: locator(site.id), output: 'raw' });
	expect(json[0]).toMatchObject({ id: site.id, shop: true, health: { score: 1 } });
});

it('an error has the reason in the form of its errors', async () => {
	const unknown = await run('tag/tag/get', { tagId: locator('999999') });
	expect(unknown.error?.message).toContain('The tag 999999');
	const without = (await fleet.sites(30)).find(({ activity_logs: logs }) => !logs.enabled)!;
	const { error } = await run('activityLog/activityLog/getAll', { siteId: locator(without.id) });
	expect(error?.httpCode).toBe('422');
	expect(error?.message).toMatch(/activity_logs|activity log/i);
});
