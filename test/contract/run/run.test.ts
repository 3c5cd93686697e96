import { runNode, runOn } from '../../support/engine';
import { fleetEach } from '../../support/fleet';
import { startWayward } from '../../support/wayward';
import { locator } from '../../support/locator';

/** How the items of one run go together: order, failures, pairing. */

const fleet = fleetEach({ sites: 3 });

const createTags = {
	node: 'tag',
	parameters: { resource: 'tag', operation: 'create', name: '={{ $json.name }}' },
};
const updateTags = {
	node: 'tag',
	parameters: {
		resource: 'tag',
		operation: 'update',
		tagId: locator('={{ $json.id }}'),
		updateFields: { name: '={{ $json.name }}' },
	},
};

const named = (...names: Array<string | null>) => names.map((name) => ({ name }));
const sentNames = () =>
	fleet.sent().map(({ body }) => (body as { tag: { name: string } }).tag.name);

const idsOfTags = async (count: number) => {
	const { data } = await fleet.api.get('/tags', { params: { perPage: count } });
	fleet.forget();
	return (data.tags as Array<{ id: string }>).map(({ id }) => id);
};

it('changes are sent in item order, one at a time', async () => {
	const names = Array.from({ length: 30 }, (_, index) => `Tag ${index}`);
	const { json, items } = await runNode(fleet, { ...createTags, items: named(...names) });
	expect(sentNames()).toEqual(names);
	expect(json.map(({ name }) => name)).toEqual(names);
	const ids = json.map(({ id }) => Number(id));
	expect(ids).toEqual([...ids].sort((a, b) => a - b));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(names.map((_, item) => ({ item })));
});

it('a change is not sent before the one before it has been answered', async () => {
	let [under, most] = [0, 0];
	const service = await startWayward(() => async (response) => {
		most = Math.max(most, ++under);
		for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
		under -= 1;
		response.writeHead(201, { 'Content-Type': 'application/json' });
		response.end('{"tag":{"id":"1","name":"A"}}');
	});
	const { json } = await runNode(service, { ...createTags, items: named('A', 'B', 'C', 'D') });
	await service.close();
	expect([json.length, most]).toEqual([4, 1]);
});

it('the ID of an item is encoded in its path', async () => {
	const parameters = { ...updateTags.parameters, operation: 'get', tagId: locator('a b') };
	const { routes } = await runOn({}, { node: 'tag', parameters });
	expect(routes).toEqual(['GET /tags/a%20b']);
});

it('after a refused change none of the rest is sent, and the error names its item', async () => {
	const [first, , third] = await idsOfTags(3);
	const items = [
		{ id: first, name: 'A' },
		{ id: 'unknown', name: 'B' },
		{ id: third, name: 'C' },
	];
	const { error } = await runNode(fleet, { ...updateTags, items });
	expect(sentNames()).toEqual(['A', 'B']);
	expect(error?.message).toContain('found no record at');
	expect(error?.message).toContain('; list the IDs with Tag: Get Many (item 2 of 3');
	expect(error?.message).toContain(
		'(item 2 of 3; 1 change was made before it: run again from item 2)',
	);
});

it('one item with bad input keeps all changes from being sent', async () => {
	const { error } = await runNode(fleet, { ...createTags, items: named('A', 'B', null) });
	expect(fleet.sent()).toEqual([]);
	expect(error?.message).toBe('The parameter "Name" has no value (item 3 of 3)');
});

it('one item with a blank ID keeps all changes from being sent', async () => {
	const [first, second] = await idsOfTags(2);
	const items = [
		{ id: first, name: 'A' },
		{ id: second, name: 'B' },
		{ id: '', name: 'C' },
	];
	const { error } = await runNode(fleet, { ...updateTags, items });
	expect(fleet.sent()).toEqual([]);
	expect(error?.message).toBe('The parameter "Tag" is empty (item 3 of 3)');
});

it('an expression that fails for a later item keeps all changes from being sent', async () => {
	const unhandled: unknown[] = [];
	const note = (reason: unknown) => unhandled.push(reason);
	process.on('unhandledRejection', note);
	const { error } = await runNode(fleet, {
		...createTags,
		parameters: {
			...createTags.parameters,
			name: '={{ $json.name ?? $("No Such Node").first().json.name }}',
		},
		items: named('A', 'B', null),
	});
	expect(error?.message).toBe("Referenced node doesn't exist");
	// What the engine left behind has its turn before the service answers this.
	await fleet.api.get('/tags', { params: { perPage: 1 } });
	process.off('unhandledRejection', note);
	expect(fleet.routes()).toEqual(['GET /tags']);
	expect(unhandled).toEqual([]);
});

it('under Continue On Fail the rest is sent, and error items are paired too', async () => {
	const [first, , third] = await idsOfTags(3);
	const items = [
		{ id: first, name: 'A' },
		{ id: 'unknown', name: 'B' },
		{ id: third, name: 'C' },
		{ id: first, name: null },
	];
	const { items: output, error } = await runNode(fleet, {
		...updateTags,
		items,
		settings: { onError: 'continueRegularOutput' },
	});
	expect(error).toBeUndefined();
	expect(sentNames()).toEqual(['A', 'B', 'C']);
	expect(output.map(({ json, pairedItem }) => [json.name ?? json.error, pairedItem])).toEqual([
		['A', { item: 0 }],
		[expect.stringContaining('found no record at'), { item: 1 }],
		['C', { item: 2 }],
		['The parameter "Name" has no value (item 4 of 4)', { item: 3 }],
	]);
});

it('with an error output, items that failed go there', async () => {
	const [first] = await idsOfTags(1);
	const { items, errors } = await runNode(fleet, {
		...updateTags,
		items: [
			{ id: 'unknown', name: 'A' },
			{ id: first, name: 'B' },
		],
		settings: { onError: 'continueErrorOutput' },
	});
	expect(items.map(({ json }) => json.name)).toEqual(['B']);
	expect(errors).toHaveLength(1);
	expect(errors[0]!.json.error).toContain('found no record at');
});

describe('Retry On Fail', () => {
	const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };

	it('sends again what was refused, and not what was done', async () => {
		const [first] = await idsOfTags(1);
		const { error } = await runNode(fleet, {
			...updateTags,
			items: [
				{ id: first, name: 'A' },
				{ id: 'unknown', name: 'B' },
			],
			settings,
		});
		expect(sentNames()).toEqual(['A', 'B', 'B']);
		expect(error?.message).toContain('found no record at');
	});

	const tag = (name: string) => ({ body: { tag: { id: '1', name } } });

	it('gives the results of the first try with those of the second', async () => {
		const service = await startWayward((_, count) =>
			count === 2 ? { status: 409, body: {} } : tag(`answer ${count}`),
		);
		const { json, items, error } = await runNode(service, {
			...updateTags,
			items: ['A', 'B', 'C'].map((name) => ({ id: '1', name })),
			settings,
		});
		await service.close();
		expect(error).toBeUndefined();
		expect(json.map(({ name }) => name)).toEqual(['answer 1', 'answer 3', 'answer 4']);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
	});

	it.each([
		['no answer', 'drop' as const],
		['502', { status: 502 }],
	])('never repeats a change of which nobody knows whether it was made: %s', async (_, answer) => {
		const service = await startWayward(() => answer);
		const { error } = await runNode(service, {
			...updateTags,
			items: [{ id: '1', name: 'A' }],
			settings,
		});
		await service.close();
		expect(service.requests).toHaveLength(1);
		expect(error?.description).toContain('may have been applied');
	});
});

it('Execute Once sends the first item only', async () => {
	const { json } = await runNode(fleet, {
		...createTags,
		items: named('A', 'B'),
		settings: { executeOnce: true },
	});
	expect(sentNames()).toEqual(['A']);
	expect(json).toHaveLength(1);
});

it('with batching, items of later batches are sent as well', async () => {
	const { json } = await runNode(fleet, {
		...createTags,
		parameters: {
			...createTags.parameters,
			requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 1 } } },
		},
		items: named('A', 'B', 'C'),
	});
	expect(sentNames()).toEqual(['A', 'B', 'C']);
	expect(json).toHaveLength(3);
});

it('reads of other items continue when one fails', async () => {
	const [first] = await idsOfTags(1);
	const { error } = await runNode(fleet, {
		node: 'tag',
		parameters: { ...updateTags.parameters, operation: 'get' },
		items: [{ id: 'unknown' }, { id: first }],
	});
	expect(error?.message).toMatch(/ \(item 1 of 2\)$/);
	expect(fleet.routes().sort()).toEqual([`GET /tags/${first}`, 'GET /tags/unknown']);
});
