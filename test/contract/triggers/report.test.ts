import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Recipient, ReportRow } from '../../../sandbox/service/domain/reports/rows';
import { addReport } from '../../../sandbox/service/domain/reports/rules';
import { dataFrom } from '../../../sandbox/service/domain/reportTemplates/rules';
import { takeViolations } from '../../support/checkAnswers';
import { activate, contentOf, everyEventHasExample } from '../../support/engine';
import { pageOf, startWayward, type Wayward } from '../../support/wayward';
import { DAY, MINUTE, watching } from '../../support/watching';

/** What the report trigger adds to the shared polling; see also its histories. */

const { fleet, begun } = watching('reportTrigger', 5, ({ world }) => {
	// Only what a test does happens.
	const { reports, scheduledReports } = world.store;
	for (const rows of [reports, scheduledReports]) for (const { id } of rows.peek()) rows.delete(id);
});

const EMAIL = 'a@example.com';

/** Makes a report without a recipient. */
function makeReport(type: ReportRow['type'] = 'one_time'): ReportRow {
	const { world } = fleet;
	const dates = { timezone: 'UTC', start_date: '2026-02-01', end_date: '2026-02-28' };
	const data = dataFrom(world, '', {});
	return addReport(world, { site_id: world.store.sites.peek()[0]!.id, type, ...dates, data })!;
}

/** Writes what has become of the e-mail to a recipient; also words that the sandbox never says. */
function mail({ email: { recipients } }: ReportRow, email: string, change: object = {}): void {
	const known = recipients.find((each) => each.email === email);
	if (known) Object.assign(known, change);
	else {
		const times = { sent_at: now(), delivered_at: null, opened_at: null };
		recipients.push({ email, status: 'sent', ...times, ...change } as Recipient);
	}
}

const now = () => fleet.world.timestamp();
const told = (items: IDataObject[] | null) =>
	items?.map(({ event, id, recipient }) => [event, id, (recipient as IDataObject)?.email]) ?? null;

it('emails of a report are not followed after the set days', async () => {
	const { poll } = await begun(['opened'], { options: { followDays: 1 } });
	const report = makeReport();
	mail(report, EMAIL, { status: 'delivered', delivered_at: now() });
	for (const ms of [DAY - MINUTE, 2 * MINUTE]) {
		fleet.clock.advance(ms);
		await poll();
	}
	mail(report, EMAIL, { status: 'opened', opened_at: now() });
	expect(await poll()).toBeNull();
});

it('a status that nobody knows is an event of its own, once for each recipient and word', async () => {
	const { poll } = await begun(['delivered', 'bounced', 'failed', 'otherStatus']);
	const report = makeReport();
	const become = (email: string, status: string) => mail(report, email, { status });
	become(EMAIL, 'deferred');
	become('b@example.com', 'Deferred');
	expect(told(await poll())).toEqual([
		['otherStatus', report.id, EMAIL],
		['otherStatus', report.id, 'b@example.com'],
	]);
	become(EMAIL, 'blocked');
	become('b@example.com', ' Bounced');
	expect(told(await poll())).toEqual([
		['otherStatus', report.id, EMAIL],
		['bounced', report.id, 'b@example.com'],
	]);
	become(EMAIL, 'deferred');
	expect(await poll()).toBeNull();
	expect(takeViolations()).not.toEqual([]);
});

describe('times that the service does not say', () => {
	const none = { sent_at: null, delivered_at: null, opened_at: null };
	afterEach(() => void takeViolations());

	it.each(['delivered', 'opened', 'bounced', 'failed', 'spam'])(
		'of an email that is %s: the status counts, and later times are not reported',
		async (status) => {
			const { poll } = await begun(['delivered', 'opened', 'bounced', 'failed', 'spam']);
			const report = makeReport();
			mail(report, EMAIL, none);
			expect(await poll()).toBeNull();
			mail(report, EMAIL, { status });
			expect(told(await poll())).toEqual([[status, report.id, EMAIL]]);
			const at = status === 'delivered' || status === 'opened' ? { [`${status}_at`]: now() } : {};
			for (const change of [{ sent_at: now() }, at]) {
				fleet.clock.advance(MINUTE);
				mail(report, EMAIL, change);
				expect(await poll()).toBeNull();
			}
		},
	);

	it('one that was dated before the next sending does not hide that one', async () => {
		const { poll } = await begun(['delivered', 'otherStatus']);
		const report = makeReport();
		const { recipients } = report.email;
		mail(report, EMAIL, { ...none, status: 'delivered' });
		expect(told(await poll())).toEqual([['delivered', report.id, EMAIL]]);
		recipients.push({ ...recipients[0]!, sent_at: now() });
		expect(told(await poll())).toEqual([['delivered', report.id, EMAIL]]);
		fleet.clock.advance(MINUTE);
		recipients[0]!.sent_at = '2026-03-01T00:00:00.000Z';
		expect(await poll()).toBeNull();
		mail(report, EMAIL, { status: 'blocked' });
		expect(told(await poll())).toEqual([['otherStatus', report.id, EMAIL]]);
	});

	it('two sendings to one address that nothing tells apart have an event each', async () => {
		const { poll } = await begun(['delivered', 'bounced']);
		const report = makeReport();
		const { recipients } = report.email;
		mail(report, EMAIL, { status: 'delivered' });
		recipients.push({ ...recipients[0]! });
		expect(await poll()).toHaveLength(2);
		recipients.push({ ...recipients[0]!, status: 'bounced' });
		recipients.reverse();
		expect(told(await poll())).toEqual([['bounced', report.id, EMAIL]]);
		expect(await poll()).toBeNull();
	});
});

it.each([
	['Report Created alone', ['created'], 1],
	['e-mail events of 250 reports', ['opened'], 3],
])('a poll without news costs as much as the notice says: %s', async (_, events, requests) => {
	for (let index = 0; index < 250; index++) {
		makeReport();
		fleet.clock.advance(MINUTE);
		fleet.world.catchUp();
	}
	const { poll } = await begun(events);
	fleet.clock.advance(5 * MINUTE);
	await poll();
	fleet.forget();
	await poll();
	expect(fleet.routes()).toEqual(Array(requests).fill('GET /reports'));
});

describe('Attach PDF', () => {
	const attach = { options: { attachPdf: true } };

	it('gives every item of a report its PDF, with name and type, at one request', async () => {
		const { pollItems } = await begun(['created', 'delivered'], attach);
		const report = makeReport();
		for (const email of [EMAIL, 'b@example.com'])
			mail(report, email, { status: 'delivered', delivered_at: now() });
		fleet.forget();
		const items = (await pollItems())!;
		expect(items.map(({ json: { event, pdf_attached } }) => [event, pdf_attached])).toEqual([
			['created', true],
			['delivered', true],
			['delivered', true],
		]);
		const fileName = expect.stringMatching(/^Report \w.* 2026-02\.pdf$/);
		const file = { fileName, mimeType: 'application/pdf' };
		for (const item of items) {
			expect(item.binary!.data).toMatchObject(file);
			expect(contentOf(item).subarray(0, 5).toString()).toBe('%PDF-');
		}
		const download = `GET /reports/${report.id}/download`;
		expect(fleet.routes()).toEqual(['GET /reports', 'GET /reports', download]);
	});

	describe('of a report that is not complete', () => {
		let time: number;
		let reports: IDataObject[];
		let isComplete: boolean;
		let service: Wayward;

		beforeEach(async () => {
			time = Date.parse('2026-03-01T12:00:00Z');
			reports = [];
			isComplete = false;
			service = await startWayward((url) => {
				const headers = { Date: new Date(time).toUTCString() };
				const [, id] = /reports\/(\w+)\/download/.exec(url.pathname) ?? [];
				if (id === undefined) return { ...(pageOf('reports', reports) as object), headers };
				if (!isComplete) return { headers, status: 404, body: { error: {} } };
				const file = { 'Content-Type': 'application/pdf' };
				return { headers: { ...headers, ...file }, body: `%PDF-${id}` };
			});
		});

		const made = (id: string) => ({ id, created_at: new Date(time).toISOString(), email: {} });
		const run = (more: INodeParameters) => ({
			node: 'reportTrigger',
			parameters: { events: ['created'], ...more },
		});
		const start = async () => {
			const polling = await activate(service, run(attach));
			await polling.poll();
			time += MINUTE;
			return polling;
		};
		const shown = (items: IDataObject[] | null) =>
			items?.map(({ id, pdf_attached }) => [id, pdf_attached]) ?? null;

		it('more than the state can hold come without it', async () => {
			const { poll, state } = await start();
			const email = { body: 'x'.repeat(2_000) };
			reports = Array.from({ length: 40 }, (_, index) => ({ ...made(`r${index}`), email }));
			const given = (await poll())!.length;
			expect(given).toBeGreaterThan(20);
			expect(JSON.stringify(state()).length).toBeLessThan(40_000);
			isComplete = true;
			expect(await poll()).toHaveLength(40 - given);
		});

		it('comes at once when the option is switched off, and not after the workflow was', async () => {
			const [{ poll, change }, other] = [await start(), await start()];
			reports = [made('early')];
			for (const each of [poll, other.poll]) expect(await each()).toBeNull();
			await change(run({}).parameters);
			expect((await poll())!.map(({ id }) => id)).toEqual(['early']);
			other.reactivate();
			isComplete = true;
			expect(await other.poll()).toBeNull();
			expect(await other.poll()).toBeNull();
		});

		it('a test run still shows the report', async () => {
			const { test } = await start();
			reports = [made('early')];
			expect(shown(await test())).toEqual([['early', false]]);
		});
	});
});

everyEventHasExample('reportTrigger');
