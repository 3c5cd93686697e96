import type { IDataObject } from 'n8n-workflow';
import { casesOf, fc, PATIENCE_MS } from '../../support/effort';
import { activate } from '../../support/engine';
import { pageOf, startWayward, type Wayward } from '../../support/wayward';
import { useClock } from '../../support/transportClock';

/**
 * Random histories of reports whose PDFs come late, never or not this time: every report is emitted once, with its
 * PDF where there was one in time, whatever fails and whenever n8n is started again.
 */

jest.setTimeout(PATIENCE_MS);

type State = 'ready' | 404 | 500 | 'drop';

type Step =
	| { kind: 'make'; state: State; count: number }
	| { kind: 'complete'; pick: number }
	| { kind: 'time'; ms: number }
	| { kind: 'poll' | 'restart' | 'refused poll' };

const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({
		kind: fc.constant('make' as const),
		state: fc.constantFrom<State[]>('ready', 404, 500, 'drop'),
		count: fc.integer({ min: 1, max: 4 }),
	}),
	fc.record({ kind: fc.constant('complete' as const), pick: fc.nat(20) }),
	fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(1_000, 60_000, 2_400_000) }),
	{ weight: 2, arbitrary: fc.constant({ kind: 'poll' as const }) },
	fc.constant({ kind: 'restart' as const }),
	fc.constant({ kind: 'refused poll' as const }),
);

let service: Wayward;
let time: number;
let reports: IDataObject[];
let states: Map<string, State>;
let isRefused: boolean;

beforeAll(async () => {
	let slept = 0;
	useClock({ now: () => Date.now() + slept, sleep: (ms) => void (slept += ms) });
	service = await startWayward((url) => {
		const headers = { Date: new Date(time).toUTCString() };
		const [, id] = /reports\/(\w+)\/download/.exec(url.pathname) ?? [];
		if (id === undefined) {
			const since = Date.parse(url.searchParams.get('filters[created_at:gte]') ?? '2000-01-01');
			const shown = reports.filter(({ created_at: at }) => Date.parse(String(at)) >= since);
			return { ...(pageOf('reports', shown) as object), headers };
		}
		if (isRefused) return { headers, status: 401, body: {} };
		const state = states.get(id)!;
		if (state === 'drop') return state;
		if (state !== 'ready') return { headers, status: state, body: {} };
		return { headers: { ...headers, 'Content-Type': 'application/pdf' }, body: '%PDF-' };
	});
});

it('emits every report once, and with its PDF if it was there in time', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
			time = Date.parse('2026-03-01T12:00:00Z');
			reports = [];
			states = new Map();
			isRefused = false;
			const { poll, restart } = await activate(service, {
				node: 'reportTrigger',
				parameters: { events: ['created'], options: { attachPdf: true } },
			});
			const emitted: string[] = [];
			const wrong: string[] = [];
			const readOn = async () => {
				for (const { id, pdf_attached, created_at: at } of (await poll()) ?? []) {
					emitted.push(String(id));
					const isReady = states.get(String(id)) === 'ready';
					const isEarly = !isReady && time - Date.parse(String(at)) < 3_000_000;
					if (pdf_attached !== isReady || isEarly) wrong.push(String(id));
				}
			};
			await readOn();
			time += 1_000;
			for (const each of steps) {
				if (each.kind === 'make') {
					for (let index = 0; index < each.count; index++) {
						const id = `r${reports.length}`;
						reports.push({ id, created_at: new Date(time).toISOString() });
						states.set(id, each.state);
					}
				} else if (each.kind === 'complete') {
					const [id] = [...states].filter(([, state]) => state !== 'ready')[each.pick] ?? [];
					if (id) states.set(id, 'ready');
				} else if (each.kind === 'time') time += each.ms;
				else if (each.kind === 'poll') await readOn();
				else if (each.kind === 'restart') await restart();
				else {
					isRefused = true;
					await readOn().catch(() => {});
					isRefused = false;
				}
			}
			await readOn();
			// More than the hour: waiting for the rate limit moves the clock, too. Where answers are slow, as they are
			// by that clock, a poll reads the files of some reports only.
			for (let left = 60; left > 0 && emitted.length < reports.length; left--) {
				time += 4_200_000;
				await readOn();
			}
			await readOn();
			expect(emitted.sort()).toEqual(reports.map(({ id }) => String(id)).sort());
			expect(wrong).toEqual([]);
		}),
		{ numRuns: casesOf('REPORT_HISTORIES', { quick: 60, long: 5_000 }) },
	);
});
