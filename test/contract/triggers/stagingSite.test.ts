import type { StagingSiteRow } from '../../../sandbox/service/domain/stagingSites/rows';
import { addStagingSite } from '../../../sandbox/service/domain/stagingSites/rules';
import { everyEventHasExample } from '../../support/engine';
import { DAY, HOUR, told, watching } from '../../support/watching';

/** What the staging-site trigger adds to the shared polling; see also its histories. */

const BOTH = ['created', 'expiresSoon'];

/** A fleet without staging sites. */
const { fleet, trigger, begun } = watching('stagingSiteTrigger', 4, ({ world: { store } }) => {
	for (const { id } of store.stagingSites.all()) store.stagingSites.delete(id);
});

/** A new staging site, which expires in seven days. */
function add(index = 0): StagingSiteRow {
	fleet.world.catchUp();
	const site = fleet.world.store.sites.all()[index]!;
	const snapshot = { id: 'abc', created_at: fleet.world.timestamp() };
	return addStagingSite(fleet.world, { site_id: site.id, php_version: '8.2', snapshot });
}

const siteOf = ({ site_id: id }: StagingSiteRow) => fleet.world.store.sites.get(id)!;

it('the hours are a parameter, and a change of them is not a new start', async () => {
	const staging = add();
	const { poll, change } = await begun(BOTH, { hoursBefore: 24 });
	fleet.clock.advance(5 * DAY + HOUR);
	expect(await poll()).toBeNull();
	await change({ events: BOTH, hoursBefore: 72, output: 'raw' });
	const shown = { event: 'expiresSoon', id: staging.id, hours_left: 47 };
	expect(await poll()).toMatchObject([{ ...shown, site_title: siteOf(staging).title }]);
	await change({ events: BOTH, hoursBefore: 12, output: 'raw' });
	expect(await poll()).toBeNull();
	fleet.clock.advance(DAY);
	expect(await poll()).toBeNull();
	fleet.clock.advance(12 * HOUR);
	expect(told(await poll())).toEqual([`expiresSoon ${staging.id}`]);
});

it('one that expires within two days is reported when the event is added with fewer hours', async () => {
	const staging = add();
	const { poll, change } = await trigger(['created']);
	fleet.clock.advance(6 * DAY);
	await poll();
	await change({ events: BOTH, hoursBefore: 12, output: 'raw' });
	expect(await poll()).toBeNull();
	fleet.clock.advance(13 * HOUR);
	expect(told(await poll())).toEqual([`expiresSoon ${staging.id}`]);
});

it('a poll costs one request when nothing has happened, and one for the site of each event', async () => {
	for (const index of [0, 1, 2]) add(index);
	const { poll } = await begun(BOTH);
	fleet.forget();
	await poll();
	expect(fleet.routes()).toEqual(['GET /staging-sites']);
	const staging = add(3);
	fleet.forget();
	await poll();
	expect(fleet.routes()).toEqual(['GET /staging-sites', `GET /sites/${staging.site_id}`]);
});

it.each(['simplified', 'raw'])('has no credentials in its output as %s', async (output) => {
	const { poll } = await begun(BOTH, { output });
	const { credentials, id } = add();
	const [item] = (await poll())!;
	expect(item).toMatchObject({ id });
	const { http_auth: auth, server, database } = credentials;
	for (const { password } of [auth, server, database])
		expect(JSON.stringify(item)).not.toContain(password);
});

everyEventHasExample('stagingSiteTrigger');
