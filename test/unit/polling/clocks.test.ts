import {
	activate,
	beginAtNoon,
	iso,
	MINUTE,
	polledOf,
	SECOND,
	Service,
	settle,
	time,
	timed,
} from '../../support/pollLists';

/** What happens is told once, whichever clock is set, and whoever's. */

beforeEach(() => beginAtNoon());
afterEach(() => void jest.restoreAllMocks());

/** A trigger over a list whose records end as they begin, and what it tells. */
async function begun(more: Parameters<typeof timed>[0] = {}) {
	const service = new Service();
	service.write('before', { status: 'done' });
	settle();
	const trigger = activate(service, polledOf({ things: timed(more) }));
	await trigger.poll();
	const told: string[] = [];
	const poll = async () => void told.push(...((await trigger.poll()) ?? []));
	let count = 0;
	/** A minute with something that happens in it, and a poll at its end. */
	const live = async (minutes: number, polls = true) => {
		for (let left = minutes; left > 0; left--) {
			time.now += MINUTE / 2;
			service.write(`${++count}`, { status: 'done' });
			time.now += MINUTE / 2;
			if (polls) await poll();
		}
	};
	const all = () => Array.from({ length: count }, (_, index) => `${index + 1} done`);
	return { service, trigger, told, poll, live, all };
}

type Begun = Awaited<ReturnType<typeof begun>>;

/** Each way that a clock can be set. */
const steps: Array<[string, (trigger: Begun) => void]> = [
	...[10, 60, -10, -60].map((minutes): [string, (trigger: Begun) => void] => [
		`n8n's clock by ${minutes} minutes`,
		({ service }) => {
			time.now += minutes * MINUTE;
			service.ahead -= minutes * MINUTE;
		},
	]),
	...[5, 60, -5, -7].map((minutes): [string, (trigger: Begun) => void] => [
		`the service's clock by ${minutes} minutes`,
		({ service }) => void (service.ahead += minutes * MINUTE),
	]),
	['both clocks by -5 minutes', () => void (time.now -= 5 * MINUTE)],
];

const lists = [
	['by the time of the last change', {}],
	['by the time of creation', { timeField: 'created_at', born: undefined, isOpen: undefined }],
] as const;

describe.each(lists)('of a list %s', (_, feed) => {
	it.each(steps)('between polls: %s', async (__, step) => {
		const all = await begun(feed);
		await all.live(20);
		step(all);
		await all.live(70);
		expect(all.told).toEqual(all.all());
	});

	it.each(steps)('while none is made for long: %s', async (__, step) => {
		const all = await begun(feed);
		await all.live(20);
		await all.live(10, false);
		step(all);
		await all.live(10, false);
		await all.live(60);
		expect([...all.told].sort()).toEqual(all.all().sort());
		expect(all.told.length).toBe(all.all().length);
	});

	it('servers that differ by some seconds, with records that come late', async () => {
		const all = await begun(feed);
		for (let round = 0; round < 60; round++) {
			all.service.servers = [round % 2 ? 7 * SECOND : -7 * SECOND];
			const stamp = iso(all.service.now - 119 * SECOND);
			await all.live(1);
			all.service.write(`late ${round}`, { status: 'done', created_at: stamp, updated_at: stamp });
		}
		await all.live(5);
		const late = Array.from({ length: 60 }, (__, round) => `late ${round} done`);
		expect([...all.told].sort()).toEqual([...all.all(), ...late].sort());
	});

	it.each([
		['in turn', (index: number) => (index % 2 ? MINUTE : -MINUTE)],
		['each by more than the one before', (index: number) => index * MINUTE],
	])('servers that differ by minutes, %s', async (__, of) => {
		const all = await begun(feed);
		all.service.takesMs = 500;
		let answers = 0;
		all.service.instead = () => void (all.service.servers = [of(++answers)]);
		await all.live(60);
		expect([...all.told].sort()).toEqual(all.all().sort());
		// A page of what there was, and the same once more.
		expect(answers).toBeGreaterThanOrEqual(60);
		expect(answers).toBeLessThan(60 * 3);
	});

	it.each([
		['ten minutes', 10 * MINUTE],
		['three hours', 180 * MINUTE],
		['two years', 731 * 24 * 60 * MINUTE],
	])('a record that is dated ahead by %s silences no other', async (__, ms) => {
		const all = await begun(feed);
		await all.live(5);
		const ahead = iso(all.service.now + ms);
		all.service.write('ahead', { status: 'done', created_at: ahead, updated_at: ahead });
		await all.live(180);
		expect(all.told.filter((each) => each !== 'ahead done')).toEqual(all.all());
		expect(all.told.filter((each) => each === 'ahead done').length).toBe(1);
		const logged = all.trigger.warned.filter((line) => line.includes('in the future'));
		expect(logged).toHaveLength(1);
	});

	it('one from before the activation is not reported', async () => {
		const service = new Service();
		for (let index = 0; index < 120; index++) service.write(`old ${index}`, { status: 'done' });
		settle();
		const ahead = iso(service.now + 60 * MINUTE);
		service.write('ahead', { status: 'done', created_at: ahead, updated_at: ahead });
		const trigger = activate(service, polledOf({ things: timed(feed) }));
		expect(await trigger.poll()).toBeNull();
		settle();
		service.write('new', { status: 'done' });
		expect(await trigger.poll()).toEqual(['new done']);
		settle();
		expect(await trigger.poll()).toBeNull();
	});

	it.each([
		['seconds', (ms: number) => Math.floor(ms / 1_000)],
		['seconds as text', (ms: number) => String(Math.floor(ms / 1_000))],
		['milliseconds', (ms: number) => ms],
	])('times may be epoch %s', async (__, of) => {
		const all = await begun(feed);
		// The list itself filters by the time, whatever its form.
		all.service.instead = (sent) => {
			const { body, ...rest } = all.service.found(sent) as { body: { things: object[] } };
			const things = body.things.map((row) => ({
				...row,
				...Object.fromEntries(
					Object.entries(row)
						.filter(([key]) => key.endsWith('_at'))
						.map(([key, value]) => [key, of(Date.parse(String(value)))]),
				),
			}));
			return { ...rest, body: { ...body, things } };
		};
		await all.live(20);
		expect(all.told).toEqual(all.all());
	});

	it('a page without one time that can be read is an error, and what happened comes after it', async () => {
		const all = await begun(feed);
		await all.live(3);
		time.now += MINUTE;
		all.service.instead = (sent) => {
			const { body, ...rest } = all.service.found(sent) as { body: { things: object[] } };
			const things = body.things.map((row) => ({ ...row, created_at: 'soon', updated_at: null }));
			return { ...rest, body: { ...body, things } };
		};
		await expect(all.live(1)).rejects.toThrow('a list without times that can be read');
		all.service.instead = () => undefined;
		await all.live(1);
		expect(all.told).toEqual(all.all());
	});
});

it('one from before the activation, created ahead and changed since, is not reported later', async () => {
	const service = new Service();
	const touch = (created: object = {}) => service.write('ahead', { status: 'done', ...created });
	touch({ created_at: iso(service.now + 10 * MINUTE) });
	const trigger = activate(service, polledOf({ things: timed({}) }));
	for (let minute = 0; minute < 30; minute++) {
		expect(await trigger.poll()).toBeNull();
		time.now += MINUTE;
		touch();
	}
});

it.each([true, false])('records without the time come first: %s', async (areFirst) => {
	const service = new Service();
	const never = { status: 'done', synced_at: null };
	for (let index = 0; index < 130; index++) service.write(`never ${index}`, never);
	const { found } = service;
	service.instead = (sent) => {
		// Nulls first, or last, in any order, as databases have it.
		const at = iso(
			areFirst === String(sent.qs?.sort).endsWith('desc') ? Date.parse('9999-01-01') : 1,
		);
		const isAsked = Object.keys(sent.qs ?? {}).some((key) => key.includes('synced_at'));
		for (const row of service.rows.things!) {
			if (row.isNever ?? row.synced_at === null)
				Object.assign(row, { isNever: true, synced_at: isAsked ? 'none' : at });
		}
		const answer = found.call(service, sent) as {
			body: { things: Array<Record<string, unknown>> };
		};
		for (const row of answer.body.things) if (row.isNever) row.synced_at = null;
		return answer as never;
	};
	service.write('over', { status: 'done', synced_at: iso() });
	service.write('under way', { status: 'open', synced_at: iso() });
	settle();
	const feed = timed({
		timeField: 'synced_at',
		isSparse: true,
		born: undefined,
		openForMs: 60 * MINUTE,
	});
	const trigger = activate(service, polledOf({ things: feed }));
	expect(await trigger.poll()).toBeNull();
	time.now += MINUTE;
	service.write('under way', { status: 'done' });
	service.write('new', { status: 'done', synced_at: iso() });
	expect((await trigger.poll())!.sort()).toEqual(['new done', 'under way done']);
	settle();
	expect(await trigger.poll()).toBeNull();
});
