import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Recipient, ReportRow } from '../../../sandbox/service/domain/reports/rows';
import { addReport } from '../../../sandbox/service/domain/reports/rules';
import { dataFrom } from '../../../sandbox/service/domain/reportTemplates/rules';
import { takeViolations } from '../../support/checkAnswers';
import { activate, contentOf, everyEventHasExample } from '../../support/engine';
import { inStep, startFleet, type Fleet } from '../../support/fleet';
import { startWayward } from '../../support/wayward';
import { useClock } from '../../support/transportClock';
import { locator } from '../../support/locator';

const DAY = 86_400_000;

let fleet: Fleet;
let sites: Array<Record<string, any>>;

beforeEach(async () => {
	useClock({ now: Date.now, sleep: () => {} });
	fleet = await startFleet({ sites: 5 });
	inStep(fleet);
	sites = await fleet.sites(5);
	// Only what a test does happens.
	for (const { id } of fleet.world.store.reports.all()) {
		fleet.world.store.reports.delete(id);
	}
	for (const { id } of fleet.world.store.scheduledReports.all()) {
		fleet.world.store.scheduledReports.delete(id);
	}
});
afterEach(async () => await fleet.close());

const trigger = async (events: string[], more: INodeParameters = {}) =>
	await activate(fleet, { node: 'reportTrigger', parameters: { events, output: 'raw', ...more } });

/** Makes a report without a recipient. */
function makeReport(type: ReportRow['type'] = 'one_time', site = 0): ReportRow {
	const { world } = fleet;
	return addReport(world, {
		site_id: sites[site]!.id,
		type,
		timezone: 'UTC',
		start_date: '2026-02-01',
		end_date: '2026-02-28',
		data: dataFrom(world, '', {}),
	})!;
}

/** Writes what has become of the e-mail to a recipient; the newest sending counts. */
function mail(report: ReportRow, email: string, change: Partial<Recipient> = {}): void {
	const { recipients } = report.email;
	let recipient = recipients.find((each) => each.email === email);
	if (!recipient) {
		recipient = { email, status: 'sent', sent_at: now(), delivered_at: null, opened_at: null };
		recipients.push(recipient);
	}
	Object.assign(recipient, change);
}

const now = () => fleet.world.timestamp();
const told = (items: IDataObject[] | null) =>
	items?.map(({ event, id, recipient }) => [event, id, (recipient as IDataObject)?.email]) ?? null;

it('a report that is made is emitted once, as the service shows it', async () => {
	const { poll } = await trigger(['created']);
	await poll();
	fleet.clock.advance(60_000);
	const { id } = makeReport('scheduled');
	const { data } = await fleet.api.get(`/reports/${id}`);
	expect(await poll()).toEqual([{ event: 'created', ...data.report }]);
	expect(await poll()).toBeNull();
	fleet.clock.advance(DAY);
	expect(await poll()).toBeNull();
});

it('a delivery and an opening between two polls are both emitted, with recipient and report', async () => {
	const { poll } = await trigger(['delivered', 'opened']);
	await poll();
	const report = makeReport();
	mail(report, 'a@example.com', { status: 'opened', delivered_at: now(), opened_at: now() });
	mail(report, 'b@example.com', { status: 'delivered', delivered_at: now() });
	const items = await poll();
	expect(told(items)).toEqual([
		['delivered', report.id, 'a@example.com'],
		['opened', report.id, 'a@example.com'],
		['delivered', report.id, 'b@example.com'],
	]);
	expect(items![1]).toMatchObject({
		recipient: { email: 'a@example.com', status: 'opened' },
		title: report.title,
		email: { recipients: [{ email: 'a@example.com' }, { email: 'b@example.com' }] },
	});
});

it('emails of a report are not followed after the set days', async () => {
	const { poll } = await trigger(['opened'], { options: { followDays: 1 } });
	await poll();
	const report = makeReport();
	mail(report, 'a@example.com', { status: 'delivered', delivered_at: now() });
	fleet.clock.advance(DAY - 60_000);
	await poll();
	fleet.clock.advance(120_000);
	await poll();
	mail(report, 'a@example.com', { status: 'opened', opened_at: now() });
	expect(await poll()).toBeNull();
});

it.each(['failed', 'bounced', 'spam'] as const)('%s is an event of its own', async (status) => {
	const { poll } = await trigger([status]);
	await poll();
	const report = makeReport();
	mail(report, 'a@example.com', { status });
	mail(report, 'b@example.com', { status: 'sent' });
	expect(told(await poll())).toEqual([[status, report.id, 'a@example.com']]);
	expect(await poll()).toBeNull();
});

it('a status that nobody knows is an event of its own, once for each recipient and word', async () => {
	const { poll } = await trigger(['delivered', 'bounced', 'failed', 'otherStatus']);
	await poll();
	const report = makeReport();
	const become = (email: string, status: string) =>
		mail(report, email, { status } as unknown as Partial<Recipient>);
	become('a@example.com', 'deferred');
	become('b@example.com', 'Deferred');
	expect(told(await poll())).toEqual([
		['otherStatus', report.id, 'a@example.com'],
		['otherStatus', report.id, 'b@example.com'],
	]);
	become('a@example.com', 'blocked');
	become('b@example.com', ' Bounced');
	expect(told(await poll())).toEqual([
		['otherStatus', report.id, 'a@example.com'],
		['bounced', report.id, 'b@example.com'],
	]);
	become('a@example.com', 'deferred');
	expect(await poll()).toBeNull();
	// The service of the sandbox never says these.
	expect(takeViolations()).not.toEqual([]);
});

describe('times that the service does not say', () => {
	const none = { sent_at: null, delivered_at: null, opened_at: null } as never;

	it.each(['delivered', 'opened', 'bounced', 'failed', 'spam'] as const)(
		'of an email that is %s: the status counts, and later times are not reported',
		async (status) => {
			const { poll } = await trigger(['delivered', 'opened', 'bounced', 'failed', 'spam']);
			await poll();
			const report = makeReport();
			const email = 'a@example.com';
			mail(report, email, none);
			expect(await poll()).toBeNull();
			mail(report, email, { status });
			expect(told(await poll())).toEqual([[status, report.id, email]]);
			const at = status === 'delivered' || status === 'opened' ? { [`${status}_at`]: now() } : {};
			for (const change of [{ sent_at: now() }, at]) {
				fleet.clock.advance(60_000);
				mail(report, email, change);
				expect(await poll()).toBeNull();
			}
			takeViolations();
		},
	);

	it('one that was dated before the next sending does not hide that one', async () => {
		const { poll } = await trigger(['delivered', 'otherStatus']);
		await poll();
		const report = makeReport();
		const email = 'a@example.com';
		const { recipients } = report.email;
		mail(report, email, { ...(none as object), status: 'delivered' });
		expect(told(await poll())).toEqual([['delivered', report.id, email]]);
		recipients.push({ ...recipients[0]!, sent_at: now() });
		expect(told(await poll())).toEqual([['delivered', report.id, email]]);
		fleet.clock.advance(60_000);
		recipients[0]!.sent_at = '2026-03-01T00:00:00.000Z';
		expect(await poll()).toBeNull();
		recipients[0]!.status = 'blocked' as never;
		expect(told(await poll())).toEqual([['otherStatus', report.id, email]]);
		takeViolations();
	});

	it('two sendings to one address that nothing tells apart have an event each', async () => {
		const { poll } = await trigger(['delivered', 'bounced']);
		await poll();
		const report = makeReport();
		const { recipients } = report.email;
		mail(report, 'a@example.com', { status: 'delivered' });
		recipients.push({ ...recipients[0]! });
		expect(await poll()).toHaveLength(2);
		recipients.push({ ...recipients[0]!, status: 'bounced' });
		recipients.reverse();
		expect(told(await poll())).toEqual([['bounced', report.id, 'a@example.com']]);
		expect(await poll()).toBeNull();
	});
});

it('only what the filters let through is read', async () => {
	const { poll } = await trigger(['created'], {
		filters: {
			siteId: locator(sites[1]!.url, 'url'),
			clientId: locator('c10e47a000'),
			type: 'scheduled',
		},
	});
	await poll();
	const [lookup, list] = fleet.sent();
	expect(lookup).toMatchObject({ route: 'GET /sites' });
	expect(list).toEqual({
		route: 'GET /reports',
		query: {
			'filters[site_id:eq]': sites[1]!.id,
			'filters[client_id:eq]': 'c10e47a000',
			'filters[type:eq]': 'scheduled',
			sort: 'created_at,desc',
			page: '1',
			perPage: '100',
		},
		body: undefined,
	});
});

it.each([
	['Report Created alone', ['created'], 1],
	['e-mail events of 250 reports', ['opened'], 3],
])('a poll without news costs as much as the notice says: %s', async (_, events, requests) => {
	for (let index = 0; index < 250; index++) {
		makeReport();
		fleet.clock.advance(60_000);
		fleet.world.catchUp();
	}
	const { poll } = await trigger(events);
	await poll();
	fleet.clock.advance(300_000);
	await poll();
	fleet.forget();
	await poll();
	expect(fleet.sent().map(({ route }) => route)).toEqual(Array(requests).fill('GET /reports'));
});

describe('Attach PDF', () => {
	const attach = { options: { attachPdf: true } };

	it('gives every item of a report its PDF, with name and type, at one request', async () => {
		const { poll, pollItems } = await trigger(['created', 'delivered'], attach);
		await poll();
		const report = makeReport();
		mail(report, 'a@example.com', { status: 'delivered', delivered_at: now() });
		mail(report, 'b@example.com', { status: 'delivered', delivered_at: now() });
		fleet.forget();
		const items = (await pollItems())!;
		expect(items.map(({ json: { event, pdf_attached } }) => [event, pdf_attached])).toEqual([
			['created', true],
			['delivered', true],
			['delivered', true],
		]);
		for (const item of items) {
			expect(item.binary!.data).toMatchObject({
				fileName: `report-${report.id}.pdf`,
				mimeType: 'application/pdf',
			});
			expect(contentOf(item).subarray(0, 5).toString()).toBe('%PDF-');
		}
		expect(fleet.sent().map(({ route }) => route)).toEqual([
			'GET /reports',
			'GET /reports',
			`GET /reports/${report.id}/download`,
		]);
	});

	it('is off by default', async () => {
		const { poll, pollItems } = await trigger(['created']);
		await poll();
		makeReport();
		const [item] = (await pollItems())!;
		expect(item).toEqual({
			json: expect.not.objectContaining({ pdf_attached: expect.anything() }),
		});
	});

	describe('of a report that is not complete', () => {
		let time: number;
		let reports: IDataObject[];
		let answers: Record<string, 404 | 401 | 500 | 'drop'>;
		let service: Awaited<ReturnType<typeof startWayward>>;

		beforeEach(async () => {
			time = Date.parse('2026-03-01T12:00:00Z');
			reports = [];
			answers = {};
			service = await startWayward((url) => {
				const headers = { Date: new Date(time).toUTCString() };
				const [, id] = /reports\/(\w+)\/download/.exec(url.pathname) ?? [];
				if (id === undefined)
					return { headers, body: { reports, meta: { pagination: { totalPages: 1 } } } };
				const answer = answers[id];
				if (answer === 'drop') return answer;
				if (answer) return { headers, status: answer, body: { error: {} } };
				const file = { 'Content-Type': 'application/pdf' };
				return { headers: { ...headers, ...file }, body: `%PDF-${id}` };
			});
		});
		afterEach(async () => await service.close());

		const made = (id: string) => ({ id, created_at: new Date(time).toISOString(), email: {} });
		const start = async (more: INodeParameters = attach) => {
			const polling = await activate(service, {
				node: 'reportTrigger',
				parameters: { events: ['created'], ...more },
			});
			await polling.poll();
			time += 60_000;
			return polling;
		};
		const shown = (items: IDataObject[] | null) =>
			items?.map(({ id, pdf_attached }) => [id, pdf_attached]) ?? null;

		it('waits for it, once, while others are reported', async () => {
			const { poll, pollItems } = await start();
			reports = [made('early'), made('ready')];
			answers = { early: 404 };
			expect(shown(await poll())).toEqual([['ready', true]]);
			expect(await poll()).toBeNull();
			answers = {};
			const [item, ...others] = (await pollItems())!;
			expect(item!.json).toMatchObject({ event: 'created', id: 'early', pdf_attached: true });
			expect(contentOf(item!).toString()).toBe('%PDF-early');
			expect(others).toEqual([]);
			expect(await poll()).toBeNull();
		});

		it('comes without it after an hour', async () => {
			const { poll, state } = await start();
			reports = [made('never')];
			answers = { never: 404 };
			expect(await poll()).toBeNull();
			time += 3_599_000;
			expect(await poll()).toBeNull();
			time += 2_000;
			expect(shown(await poll())).toEqual([['never', false]]);
			expect(await poll()).toBeNull();
			expect(JSON.stringify(state())).not.toContain('awaited');
		});

		it.each([500, 'drop'] as const)(
			'waits for a file that cannot be read, too: %s',
			async (fault) => {
				const { poll } = await start();
				reports = [made('faulty'), made('ready')];
				answers = { faulty: fault };
				expect(shown(await poll())).toEqual([['ready', true]]);
				answers = {};
				expect(shown(await poll())).toEqual([['faulty', true]]);
			},
		);

		it('more than the state can hold come without it', async () => {
			const { poll, state } = await start();
			reports = Array.from({ length: 40 }, (_, index) => ({
				...made(`r${index}`),
				email: { body: 'x'.repeat(2_000) },
			}));
			answers = Object.fromEntries(reports.map(({ id }) => [String(id), 404]));
			const given = (await poll())!.length;
			expect(given).toBeGreaterThan(20);
			expect(JSON.stringify(state()).length).toBeLessThan(40_000);
			answers = {};
			expect(await poll()).toHaveLength(40 - given);
		});

		it('comes at once when the option is switched off, and not after the workflow was', async () => {
			const { poll, state, reactivate } = await start();
			reports = [made('early')];
			answers = { early: 404 };
			await poll();
			const off = await activate(
				service,
				{ node: 'reportTrigger', parameters: { events: ['created'] } },
				state(),
			);
			expect((await off.poll())!.map(({ id }) => id)).toEqual(['early']);
			reactivate();
			answers = {};
			expect(await poll()).toBeNull();
			expect(await poll()).toBeNull();
		});

		it('a test run still shows the report', async () => {
			const { test } = await start();
			reports = [made('early')];
			answers = { early: 404 };
			expect(shown(await test())).toEqual([['early', false]]);
		});
	});
});

everyEventHasExample('reportTrigger');
