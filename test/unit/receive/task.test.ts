import type { IDataObject } from 'n8n-workflow';
import { simplified } from '../../../nodes/shared/receive/output';
import { errorOf, failureOf, isEnded, taskAbout } from '../../../nodes/shared/receive/task';

it.each([
	['completed', true, undefined],
	['Completed', true, undefined],
	['failed', true, 'The task 7 ended as failed'],
	['aborted', true, 'The task 7 ended as aborted'],
	['cancelled', true, 'The task 7 ended as cancelled'],
	['running', false, undefined],
	['queued', false, undefined],
	['paused', false, undefined],
	[undefined, false, undefined],
])('a task that is %s', (status, hasEnded, failure) => {
	expect(isEnded({ id: 7, status })).toBe(hasEnded);
	expect(failureOf({ id: 7, status })).toBe(failure);
});

describe('what a message needs of a task', () => {
	const about = simplified(taskAbout, { output: 'simplified' });
	const task = (more: IDataObject): IDataObject => ({
		type: 'restore',
		status: 'completed',
		created_at: '2026-03-01T11:00:00Z',
		updated_at: '2026-03-01T11:02:30.400Z',
		...more,
	});
	const blank = {
		site_id: null,
		site_title: null,
		site_url: null,
		site_ids: [],
		site_titles: null,
	};

	it.each([{}, { input: null }, { input: { sites: [] } }, { input: { sites: 's1' } }])(
		'is blank where the record does not tell: %j',
		(more) =>
			expect(about(task(more))).toEqual({
				...{ type_name: 'Backup Restore', duration_seconds: 150, ...blank },
				...{ started_at: '2026-03-01T11:00:00Z', ended_at: '2026-03-01T11:02:30.400Z' },
			}),
	);

	it('has no end while the task may still run', () => {
		for (const status of ['running', 'paused', null]) {
			expect(about(task({ status }))).toMatchObject({ ended_at: null, duration_seconds: null });
		}
		expect(about(task({ updated_at: 'soon' }))).toMatchObject({ duration_seconds: null });
	});

	it('has the only site with its ID, title and address', () => {
		const url = 'https://a.example.com';
		const made = { site_url: url, user_configuration: { site_name: 'Bakery' } };
		for (const site of [{ title: 'Bakery', url }, made]) {
			expect(about(task({ input: { sites: [{ id: 's1', ...site }] } }))).toMatchObject({
				...{ site_id: 's1', site_title: 'Bakery', site_url: url },
				...{ site_ids: ['s1'], site_titles: 'Bakery' },
			});
		}
	});

	it('has the first names of several', () => {
		const sites = ['A', 'B', '', 'C', 'D'].map((title) => ({ id: title, title }));
		expect(about(task({ input: { sites } }))).toMatchObject({
			...{ ...blank, site_ids: ['A', 'B', 'C', 'D'], site_titles: 'A, B, C' },
		});
	});

	it('calls a type that is not known as the service does', () => {
		expect(about(task({ type: 'defrost' }))).toMatchObject({ type_name: 'defrost' });
		expect(about({})).toMatchObject({ type_name: null });
	});
});

const why = 'The name is taken';

describe('the error of a step', () => {
	const task = (step: object) => ({
		id: 't1',
		status: 'failed',
		details: { sites: [{ id: 's1', steps: [{ type: 'restore_files', ...step }] }] },
	});
	const step = 'step restore_files on site s1';

	it.each<[error: unknown, text: string]>([
		[{ message: why, code: 'taken' }, `: ${why}`],
		[[{ message: why }, { message: 'and more' }], `: ${why}; and more`],
		[[why], `: ${why}`],
		[why, `: ${why}`],
		[{ a: { b: why } }, `: {"a":{"b":"${why}"}}`],
		[{ a: true }, ': {"a":true}'],
	])('%j', (error, text) => expect(errorOf(task({ error }))).toBe(`${step}${text}`));

	it('names the site by its URL if the task has it', () => {
		const url = 'https://bakery.example.com';
		const input = { sites: [{ id: 's0' }, { id: 's1', url }] };
		expect(errorOf({ ...task({ error: why }), input })).toBe(
			`step restore_files on site ${url}: ${why}`,
		);
	});

	it('is missing where nobody knows the status', () => {
		expect(errorOf(task({ status: 'skipped' }))).toBeUndefined();
		expect(errorOf(task({ status: 'Failed' }))).toBe(step);
	});

	it.each([[{}], [[]], [null], ['']])('%j is not an error', (error) => {
		expect(errorOf(task({ error }))).toBeUndefined();
	});

	it('of the task itself is reported if no step has one', () => {
		const failed = { id: 't1', status: 'failed', error: [{ message: why }] };
		expect(failureOf(failed)).toBe(`The task t1 ended as failed: ${why}`);
	});
});
