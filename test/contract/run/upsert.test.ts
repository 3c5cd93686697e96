import { operationRun, runNode } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { startGate } from '../../support/gate';
import { locator } from '../../support/locator';
import { withoutWaiting } from '../../support/transportClock';

const fleet = fleetEach({ sites: 4 });
beforeAll(withoutWaiting);

const tag = (name: string, more: object = {}) => operationRun('tag', 'upsert', { name, ...more });
const client = (email: string, additionalFields: object = {}) =>
	operationRun('client', 'upsert', { email, additionalFields });

const tagsCalled = async (name: string) =>
	(await fleet.api.get('/tags', { params: { perPage: 100 } })).data.tags.filter(
		(each: { name: string }) => each.name.toLowerCase() === name.toLowerCase(),
	);

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

it('an address in other capitals is the same, and a part of one is not', async () => {
	await fleet.api.post('/clients', { client: { email: 'all.own@example.com' } });
	const made = await runNode(fleet, client('own@EXAMPLE.com'));
	expect(made.json).toMatchObject([{ created: true }]);
	const { json } = await runNode(fleet, client('Own@example.com', { note: 'Known' }));
	expect(json).toMatchObject([{ id: made.json[0]!.id, note: 'Known', created: false }]);
});

it('a name in another spelling is the same, also one that the run has made', async () => {
	const { data } = await fleet.api.post('/tags', { tag: { name: 'Café'.normalize('NFC') } });
	const spellings = ['caf\u200bé', ' Own\u200b tag ', 'Own\u00a0tag', 'own  TAG'];
	const names = ['Café'.normalize('NFD'), ...spellings];
	const items = names.map((name) => ({ name }));
	const { json } = await runNode(fleet, { ...tag('={{ $json.name }}'), items });
	expect(json.map(({ created }) => created)).toEqual([false, false, true, false, false]);
	expect(json[1]!.id).toBe(data.tag.id);
	expect(json[4]).toMatchObject({ id: json[2]!.id, name: 'Own\u200b tag' });
	expect(fleet.changes()).toEqual(['POST /tags', 'POST /tags']);
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
	expect(fleet.changes()).toEqual([]);
});

it('another process that creates the same one at the same time is reported', async () => {
	const gate = await startGate(fleet, async (route, forward) => {
		if (route === 'POST /tags') await fleet.api.post('/tags', { tag: { name: 'Own' } });
		await forward();
	});
	const { error } = await runNode(gate, tag('Own'));
	expect(error?.message).toMatch(
		/^Create or Update created a duplicate: more than one tag has the name "Own": /,
	);
	expect(error?.context?.details).toMatchObject({ outcome: 'unknown' });
	expect(error?.description).not.toContain('Nothing was changed');
});

it('one that cannot be looked for afterwards is reported as created', async () => {
	let isMade = false;
	const gate = await startGate(fleet, async (route, forward) => {
		if (isMade && route === 'GET /tags') throw new Error('no answer');
		await forward();
		isMade ||= route === 'POST /tags';
	});
	const { error } = await runNode(gate, tag('Own'));
	expect(error?.message).toMatch(/^The tag was created, but the check afterwards failed: /);
	expect(error?.description).toBe('Running the operation again is safe: nothing is done twice.');
});

it('Preview of a record that is there already shows that nothing would be sent', async () => {
	await fleet.api.post('/tags', { tag: { name: 'Own' } });
	const { json } = await runNode(fleet, tag('Own', { preview: true }));
	expect(json).toMatchObject([{ request: null }]);
	expect(await tagsCalled('Own')).toHaveLength(1);
});

it('a model makes no second record of a name, new or renamed; a person may', async () => {
	const run = (of: string, operation: string, set: object, asTool = true) =>
		runNode(fleet, operationRun(of, operation, set as never, { asTool }));
	const company = (name: string) => ({ additionalFields: { companyName: name } });
	expect((await run('client', 'create', company('Blue Door'))).error).toBeUndefined();
	expect((await run('tag', 'create', { name: 'Own' })).error).toBeUndefined();
	const [{ id }] = (await run('tag', 'create', { name: 'Other' })).json as [{ id: string }];
	const rename = (name: string) => ({ tagId: locator(id), updateFields: { name } });
	expect((await run('tag', 'update', rename('other'))).error).toBeUndefined();
	fleet.forget();
	for (const [of, operation, set] of [
		['client', 'create', company(' blue door')],
		['tag', 'create', { name: 'OWN' }],
		['tag', 'update', rename('own ')],
	] as const) {
		const { error } = await run(of, operation, set);
		expect(error?.message).toMatch(/^A (client|tag) called "[^"]+" already exists: .*another name/);
	}
	expect(fleet.changes()).toEqual([]);
	expect((await run('tag', 'create', { name: 'Own' }, false)).error).toBeUndefined();
});
