import { activate, allNodes, mustSucceed, runNode } from '../support/engine';
import { fleetEach, inStep, type Sent } from '../support/fleet';
import { readText } from '../support/reference';
import { fieldsOf, savedNodes, type Names } from '../support/savedNodes';

/** What was saved of triggers, and of what many operations have alike: what is sent, and what comes out. */

const DAY = 86_400_000;

const fleet = fleetEach({ sites: 20 });
let names: Names;

beforeEach(async () => {
	inStep(fleet);
	const { clients, tags, autoUpdateSchedules, teamMembers } = fleet.world.store;
	const [site] = await fleet.sites(1);
	const [client] = clients.all();
	const [member] = teamMembers.all();
	const [schedule] = autoUpdateSchedules.all();
	const at = fleet.world.timestamp();
	const times = { created_at: at, updated_at: at };
	const { id: tag } = tags.insert({ id: '900001', name: 'Own', color: null, ...times });
	names = {
		own: await ownSite(),
		site: site!.id,
		url: site!.url,
		host: new URL(site!.url).host,
		client: client!.id,
		member: member!.id,
		email: member!.email,
		tag,
		schedule: schedule!.id,
	};
	fleet.forget();
});

/** A site with a snapshot of today. */
async function ownSite(): Promise<string> {
	const { data } = await fleet.api.post('/sites', { site: { url: 'https://own.example.com' } });
	await fleet.api.post(`/sites/${data.site.id}/sync`);
	fleet.clock.advance(60_000);
	return data.site.id as string;
}

/** The editor is told so when there is no sample. */
function isNothing(error: Error): null {
	expect(error.message).toMatch(/to show yet$/);
	return null;
}

/** What is asked for, once and without what depends on what has happened: times, and records that are none of ours. */
function asked(sent: Sent[]): Sent[] {
	const known = Object.values(names);
	const all = sent.map((one) =>
		JSON.stringify(one)
			.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)')
			.replaceAll(/[0-9a-f]{24}/g, (id) => (known.includes(id) ? id : '(id)')),
	);
	return [...new Set(all)].map((one) => JSON.parse(one) as Sent);
}

/** What is to be saved, by `npm run published`; from then on it is in `contract/saved`, and runs without a line here. */
const triggers = {};
const alike = {};

const prepared = () => ({ fleet, names });

describe('a trigger', () =>
	savedNodes('triggers', prepared, triggers, async (_, node) => {
		const { test, poll } = await activate(fleet, node);
		const [sample] = (await test().catch(isNothing)) ?? [];
		await poll();
		fleet.clock.advance(DAY);
		await poll();
		return { sent: asked(fleet.sent()), fields: fieldsOf(sample) };
	}));

it('every trigger has been saved', async () => {
	const saved = readText('test/contract/saved/triggers.workflow.json');
	const unsaved = (await allNodes()).filter((one) => one.polling && !saved.includes(one.name));
	expect(unsaved.map(({ name }) => `${name}: add it to saved.test.ts`)).toEqual([]);
});

describe('what is alike', () =>
	savedNodes('alike', prepared, alike, async (_, node) => {
		const { json } = mustSucceed(await runNode(fleet, node));
		return { sent: asked(fleet.sent()), fields: fieldsOf(json[0]) };
	}));
