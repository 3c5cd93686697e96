import type { IDataObject } from 'n8n-workflow';
import { mustSucceed, operationRun, runNode, runOf } from '../../support/engine';
import { fleetEach, inStep } from '../../support/fleet';
import { locator } from '../../support/locator';
import { type Answer, startWayward } from '../../support/wayward';

/** A change by a model in two calls: what the second one has to repeat, and when it is refused. */

const fleet = fleetEach({ sites: 12 });
beforeEach(() => inStep(fleet));

const site = () =>
	fleet.world.store.sites
		.peek()
		.find(
			({ backups, connection }) =>
				backups.latest_snapshot?.status === 'succeeded' && connection.status === 'connected',
		)!;

const restore = (more: object = {}) =>
	operationRun('backup', 'restore', {
		siteId: locator(site().id),
		snapshotId: locator('latest'),
		...more,
	});

const call = async (run: ReturnType<typeof operationRun>, given: IDataObject = {}) => {
	fleet.forget();
	return await runNode(fleet, { ...run, asTool: true, items: [given] });
};

async function asked(run = restore()) {
	const { json } = mustSucceed(await call(run));
	expect(fleet.changes()).toEqual([]);
	const { what, code, confirmed } = json[0]!;
	expect(confirmed).toBe(false);
	return { what, code } as { what: string; code: string };
}

it('is made by the second call, which repeats what the first one returned', async () => {
	const { what, code } = await asked();
	const { url, title, id, backups } = site();
	for (const part of [
		url,
		title,
		id,
		backups.latest_snapshot!.id,
		'Restore',
		'overwrites the live site',
	])
		expect(what).toContain(part);
	const { json } = mustSucceed(await call(restore(), { what, code }));
	expect(json[0]).toHaveProperty('task_id');
	expect(fleet.changes()).toHaveLength(1);
});

it.each([
	['invisible characters', 'Shop\u00ad \u200bof\u200e Zo\u0065\u0301\ufeff\u2028s'],
	['a zero-width joiner', 'Family 👨\u200d👩\u200d👧'],
])('is made for a record whose title has %s', async (_, title) => {
	fleet.world.store.sites.get(site().id)!.title = title;
	const { what, code } = await asked();
	expect(what).toContain(site().url);
	// Models write letters with accents as one character, and leave joiners out.
	const repeated = what.normalize('NFC').replaceAll('\u200d', '');
	mustSucceed(await call(restore(), { what: repeated, code }));
	expect(fleet.changes()).toHaveLength(1);
});

describe('is refused, and nothing is sent,', () => {
	const refusal = async (given: IDataObject, run = restore()) => {
		const { error } = await call(run, given);
		expect(fleet.changes()).toEqual([]);
		return error?.message ?? '';
	};

	it('with a part alone, another what, another code, or other arguments', async () => {
		const { what, code } = await asked();
		expect(await refusal({ what })).toContain('is not the code for these arguments');
		expect(await refusal({ code })).toContain('is for another "what"');
		expect(await refusal({ what: what.replace('Restore', 'Backup'), code })).toBe(
			'The parameter "code" is for another "what". Nothing was changed. Repeat it letter for letter',
		);
		for (const forged of [`${code}x`, code.slice(1), code.replaceAll('.', ''), 'yes']) {
			expect(await refusal({ what, code: forged })).toBe(
				'The parameter "code" is not the code for these arguments. Nothing was changed. Call without both to get new ones',
			);
		}
		const other = restore({ includeFiles: true, includeDatabase: false });
		expect(await refusal({ what, code }, other)).toContain('is not the code for these arguments');
	});

	it('after five minutes, or a second time', async () => {
		const late = await asked();
		fleet.clock.advance(301_000);
		expect(await refusal(late)).toContain('is older than five minutes. Nothing was changed');
		const once = await asked();
		expect((await call(restore(), once)).error).toBeUndefined();
		fleet.clock.advance(60_000);
		// Also once its change has made the state another one.
		fleet.world.store.sites.get(site().id)!.title = 'Restored';
		expect(await refusal(once)).toBe(
			'The parameter "code" was used. That call may have made the change: check before you make it again. To do so, call without both to get new ones',
		);
	});

	it('once the record has changed, and says how it is now', async () => {
		const first = await asked();
		fleet.world.store.sites.get(site().id)!.title = 'Renamed "meanwhile"';
		expect(await refusal(first)).toMatch(
			/is for an earlier state\. Now: site "Renamed 'meanwhile'" \(.*\)\. Nothing was changed/,
		);
	});
});

/** What the deletion of a site means. */
const GONE = 'the site leaves the account and cannot be restored';

describe('with Retry On Fail', () => {
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
	const cancel = operationRun('task', 'cancel', { taskId: locator('7') });
	const deleting = runOf('api/request/send', { method: 'DELETE', path: '/tags/7' });
	const record = { body: { task: { id: '7', status: 'running' }, tag: { id: '7', name: 'A' } } };

	/** A confirmed change that the service answers in this way: its error, and how often it was sent. */
	const failing = async (run: typeof cancel, answer: Answer) => {
		const service = await startWayward((_, __, route) =>
			route.startsWith('GET ') ? record : answer,
		);
		const tool = { ...run, asTool: true, settings };
		const [first] = mustSucceed(await runNode(service, tool)).json;
		const { what, code } = first!;
		const { error } = await runNode(service, { ...tool, items: [{ what, code }] });
		const sent = service.routes().filter((route) => !route.startsWith('GET '));
		return { message: error?.message, sent: sent.length };
	};
	const conflict = { status: 409, body: { error: { message: 'It has just ended' } } };

	it.each([
		['Cancel', cancel],
		['Request', deleting],
	])('%s reports why nothing was changed, and is confirmed still', async (_, run) => {
		expect(await failing(run, conflict)).toEqual({
			message: expect.stringContaining('It has just ended'),
			sent: 2,
		});
		expect((await failing(run, 'drop')).message).toContain('That call may have made the change');
	});
});

it('names the records of a list, and what a list loses', async () => {
	const [one, two, three] = fleet.world.store.sites.peek();
	const ids = [one!.id, two!.id];
	const run = operationRun('site', 'delete', { siteId: locator(three!.id) });
	expect((await asked(run)).what).toBe(
		`Site: Delete (${GONE}); site "${three!.title}" ("${three!.url}", ${three!.id})`,
	);
	const { id, name } = fleet.world.store.autoUpdateSchedules.peek()[0]!;
	const scope = { selection: 'specific', siteIds: ids };
	const update = { scheduleId: locator(id), updateFields: { sites: { scope } } };
	const { what } = await asked(runOf('autoUpdate/schedule/update', update));
	const body = { auto_update_schedule: { scope: { sites: { selection: 'specific', ids } } } };
	expect(what).toBe(
		`Schedule: Update (changes live sites); schedule "${name}" (active, all 12 sites, ${id}); with ${JSON.stringify(body)}; scope.sites.ids loses an unknown number`,
	);
});

describe('of any request', () => {
	const ai = (key: string) => `={{ $fromAI('${key}', '', 'string', '') }}`;
	const made = (operation: string, more: object) => runOf(`api/request/${operation}`, more);
	const by = { method: ai('method'), path: ai('path') };
	const request = made('send', { ...by, body: ai('body') });
	const asking = made('send', { ...by, query: '{"a":1}' });
	const schema = [{ id: 'body.tag.name', displayName: 'name' }];
	const value = { 'body.tag.name': ai('name') };
	const any = made('anyOperation', {
		apiOperation: locator('POST /tags'),
		apiParameters: { mappingMode: 'defineBelow', value, schema },
	});
	const long = 'x'.repeat(2000);
	const body = (name: string) => JSON.stringify({ tag: { name } });
	const send = (method: string, path: string, name = '') => ({
		...{ method, path, body: body(name) },
	});
	const firstOf = (name: string) =>
		`${body(name).slice(0, 1000)}… (the first 1000 of 2019 characters)`;

	it.each<[string, typeof any, IDataObject, IDataObject, what: string]>([
		[
			...(['Any Operation', any, { name: 'A' }, { name: 'B' }] as const),
			`POST /tags: "Create tag", Tag: Create; with ${body('A')}`,
		],
		[
			...(['Any Operation with a long body', any, { name: long }, { name: `${long}y` }] as const),
			`POST /tags: "Create tag", Tag: Create; with ${firstOf(long)}`,
		],
		[
			...(['Request', request, send('POST', '/tags', 'A'), send('POST', '/tags', 'B')] as const),
			`POST /tags: Tag: Create; with ${body('A')}`,
		],
		[
			'Request with a long body',
			...([request, send('POST', '/tags', long), send('POST', '/tags', `${long}y`)] as const),
			`POST /tags: Tag: Create; with ${firstOf(long)}`,
		],
		[
			...(['Request with a query', asking, send('PUT', '/a b'), send('PATCH', '/a b')] as const),
			'PUT /a%20b (unknown); for {"a":1}',
		],
	])('%s: what is done, and no other change', async (_, run, given, other, what) => {
		const [first] = (await call(run, given)).json;
		expect(fleet.changes()).toEqual([]);
		expect(first).toMatchObject({ confirmed: false, what });
		const { code } = first!;
		const { error } = await call(run, { ...other, what, code });
		expect(error?.message).toContain('is not the code for these arguments');
		expect(fleet.changes()).toEqual([]);
		await call(run, { ...given, what, code });
		expect(fleet.changes()).toHaveLength(1);
	});

	it('names the record, and a read needs none', async () => {
		const { title, url, id } = site();
		const bare = made('send', by);
		const [first] = (await call(bare, send('DELETE', `/sites/${id}`))).json;
		expect(first!.what).toBe(
			`DELETE /sites/${id}: Site: Delete (${GONE}); site "${title}" ("${url}", ${id})`,
		);
		const read = await call(bare, send('GET', `/sites/${id}`));
		expect(read.json[0]).toHaveProperty('site.id', id);
	});
});

it('says on how many sites a record has an effect, and asks before access is given', async () => {
	const { autoUpdateSchedules, sites, tags, teamMembers, tasks } = fleet.world.store;
	const { id, name, scope } = autoUpdateSchedules.peek().find((each) => each.scope.sites.ids[1])!;
	const tag = tags.peek()[0]!;
	const tagged = sites.peek().filter(({ internal }) => internal.tag_ids.includes(tag.id)).length;
	const person = teamMembers.peek().find((each) => each.all_sites_access)!;
	const task = tasks.peek().find(({ status }) => status === 'running')!;
	const disable = { scheduleId: locator(id) };
	const update = { teamMemberId: locator(person.id), updateFields: { role: 'collaborator' } };
	for (const [operation, set, says] of [
		['autoUpdate/schedule/disable', disable, `"${name}" (active, ${scope.sites.ids.length} sites`],
		['tag/tag/delete', { tagId: locator(tag.id) }, `"${tag.name}" (${tagged} site`],
		[
			...(['teamMember/teamMember/update', update] as const),
			`"${person.name}" ("${person.email}", connected, all 12 sites, ${person.id})`,
		],
		['task/task/cancel', { taskId: locator(task.id) }, `(${task.type}, running, `],
	] as const) {
		expect((await asked(runOf(operation, set))).what).toContain(says);
	}
});

it('is not asked of people, nor where the author of the workflow has turned it off', async () => {
	for (const run of [restore(), { ...restore({ confirmation: 'none' }), asTool: true }]) {
		fleet.forget();
		mustSucceed(await runNode(fleet, run));
		expect(fleet.changes()).toHaveLength(1);
		fleet.clock.advance(3_600_000);
	}
});
