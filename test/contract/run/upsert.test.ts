import { runNode, type Access, type NodeRun } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { startGate, type Gate } from '../../support/gate';
import { withoutWaiting } from '../../support/transportClock';

/** Create or Update: one record of a name or an address, whoever asks for it and how often. */

const fleet = fleetEach({ sites: 4 });
let gate: Gate | undefined;
beforeAll(withoutWaiting);
afterEach(async () => {
	await gate?.close();
	gate = undefined;
});

const tag = (name: string, more: object = {}): NodeRun => ({
	node: 'tag',
	parameters: { resource: 'tag', operation: 'upsert', name, ...more },
});

const client = (email: string, additionalFields: object = {}): NodeRun => ({
	node: 'client',
	parameters: { resource: 'client', operation: 'upsert', email, additionalFields } as never,
});

const tagsCalled = async (name: string) =>
	(await fleet.api.get('/tags', { params: { perPage: 100 } })).data.tags.filter(
		(each: { name: string }) => each.name.toLowerCase() === name.toLowerCase(),
	);

const posts = () =>
	fleet
		.sent()
		.map(({ route }) => route)
		.filter((route) => route.startsWith('POST'));

it('creates once, and finds it again', async () => {
	const first = await runNode(fleet, tag('Own', { additionalFields: { color: '#112233' } }));
	expect(first.json).toMatchObject([{ name: 'Own', color: '#112233', created: true }]);
	const { json } = await runNode(fleet, tag(' Own '));
	expect(json).toMatchObject([{ id: first.json[0]!.id, color: '#112233', created: false }]);
	expect(posts()).toEqual(['POST /tags']);
});

it('items of one run and simultaneous executions create only one', async () => {
	const items = [{ name: 'Own' }, { name: 'Own' }];
	const [run, ...others] = await Promise.all([
		runNode(fleet, { ...tag('={{ $json.name }}'), items }),
		runNode(fleet, tag('Own')),
		runNode(fleet, tag('Own', { additionalFields: { color: '#112233' } })),
	]);
	const made = [...run.json, ...others.flatMap(({ json }) => json)].map(({ created }) => created);
	expect(made.filter(Boolean)).toHaveLength(1);
	expect(await tagsCalled('Own')).toHaveLength(1);
});

it('a part of a name is not a match', async () => {
	await fleet.api.post('/clients', { client: { email: 'all.own@example.com' } });
	const { json } = await runNode(fleet, client('own@example.com'));
	expect(json).toMatchObject([{ email: 'own@example.com', created: true }]);
});

it('an address in other capitals is the same', async () => {
	const { data } = await fleet.api.post('/clients', { client: { email: 'Own@example.com' } });
	const { json } = await runNode(fleet, client('own@EXAMPLE.com', { note: 'Known' }));
	expect(json).toMatchObject([{ id: data.client.id, note: 'Known', created: false }]);
});

it('a name in another spelling is the same, also one that the run has made', async () => {
	const { data } = await fleet.api.post('/tags', { tag: { name: 'Café'.normalize('NFC') } });
	const names = [
		'Café'.normalize('NFD'),
		'caf\u200bé',
		'Own\u200b tag',
		'Own\u00a0tag',
		'own  TAG',
	];
	const items = names.map((name) => ({ name }));
	const { json } = await runNode(fleet, { ...tag('={{ $json.name }}'), items });
	expect(json.map(({ created }) => created)).toEqual([false, false, true, false, false]);
	expect(json[1]!.id).toBe(data.tag.id);
	expect(json[4]!.id).toBe(json[2]!.id);
	expect(posts()).toEqual(['POST /tags', 'POST /tags']);
});

it('does nothing where two match', async () => {
	const made = [await fleet.api.post('/tags', { tag: { name: 'Own' } })];
	made.push(await fleet.api.post('/tags', { tag: { name: 'Own' } }));
	fleet.forget();
	const { error } = await runNode(fleet, tag('Own', { additionalFields: { color: '#112233' } }));
	expect(error?.message).toMatch(
		/^Create or Update was refused: more than one tag has the name "Own": \d+, \d+$/,
	);
	for (const { data } of made) expect(error?.message).toContain(data.tag.id);
	expect(error?.context?.details).toMatchObject({ outcome: 'notSent' });
	expect(posts()).toEqual([]);
});

it('another process that creates the same one at the same time is reported', async () => {
	gate = await startGate(fleet, async (route, forward) => {
		if (route === 'POST /tags') await fleet.api.post('/tags', { tag: { name: 'Own' } });
		await forward();
	});
	const { error } = await runNode(gate as Access, tag('Own'));
	expect(error?.message).toMatch(
		/^Create or Update created a duplicate: more than one tag has the name "Own": /,
	);
	expect(error?.context?.details).toMatchObject({ outcome: 'unknown' });
	expect(error?.description).not.toContain('Nothing was changed');
});

it('Preview says which of the two it would be', async () => {
	const preview = { preview: true };
	const created = await runNode(fleet, tag('Own', preview));
	expect(created.json).toMatchObject([{ request: { method: 'POST', path: '/tags' } }]);
	const { data } = await fleet.api.post('/tags', { tag: { name: 'Own' } });
	const more = { ...preview, additionalFields: { color: '#112233' } };
	const { json } = await runNode(fleet, tag('Own', more));
	expect(json).toMatchObject([
		{ request: { path: `/tags/${data.tag.id}/update` }, target: { tag: { name: 'Own' } } },
	]);
	expect((await runNode(fleet, tag('Own', preview))).json).toMatchObject([{ request: null }]);
	expect(await tagsCalled('Own')).toHaveLength(1);
});
