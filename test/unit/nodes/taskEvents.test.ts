import type { IDataObject } from 'n8n-workflow';
import { groupedTaskTypes, taskTypes } from '../../../nodes/shared/describe/taskValues';
import { taskOccurrences, taskQuery } from '../../../nodes/Task/resources/events';

const BEGUN = '2026-03-01T12:00:00.000Z';
const ALL = ['cancelled', 'completed', 'failed', 'progress', 'started'];

const task = (more: IDataObject): IDataObject => ({
	id: 't1',
	type: 'restore',
	created_at: '2026-03-01T11:00:00Z',
	updated_at: '2026-03-01T13:00:00Z',
	progress: { percent: 40 },
	input: { sites: [{ id: 's1' }, { id: 's2' }] },
	...more,
});

const events = (record: IDataObject, choice: { types?: string[]; siteId?: string } = {}) =>
	taskOccurrences({ events: ALL, types: [], ...choice })(record, BEGUN).map(({ event }) => event);

it.each([
	['initializing', []],
	['running', ['progress']],
	['completed', ['completed']],
	['failed', ['failed']],
	['aborted', ['failed']],
	['cancelled', ['cancelled']],
	['a state that is not known', []],
])('a task that is %s', (status, expected) => {
	expect(events(task({ status }))).toEqual(expected);
});

it('has started when it was created since the trigger was switched on, by time and not by text', () => {
	const created = (created_at: string) => events(task({ status: 'initializing', created_at }));
	expect(created('2026-03-01T11:59:59.999Z')).toEqual([]);
	expect(created('2026-03-01T12:00:00Z')).toEqual(['started']);
	expect(created('2026-03-01T12:30:00+01:00')).toEqual([]);
	expect(created('2026-03-01T11:30:00-01:00')).toEqual(['started']);
});

it('has started, too, when it is first seen ended; the events come in their order', () => {
	const record = task({ status: 'aborted', created_at: '2026-03-01T12:10:00Z' });
	expect(events(record)).toEqual(['started', 'failed']);
	const running = task({ status: 'running', created_at: '2026-03-01T12:10:00Z' });
	expect(events(running)).toEqual(['started', 'progress']);
});

it('every task counts as started where it is not known since when', () => {
	const found = taskOccurrences({ events: ['started'], types: [] })(task({ status: 'failed' }), '');
	expect(found).toEqual([{ key: 't1:started', event: 'started' }]);
});

it('keys tell tasks, kinds and percents apart, and are the same each time', () => {
	const keys = (record: IDataObject) =>
		taskOccurrences({ events: ALL, types: [] })(record, BEGUN).map(({ key }) => key);
	const running = (percent: number, id = 't1') =>
		task({ id, status: 'running', progress: { percent }, created_at: BEGUN });
	expect(keys(running(40))).toEqual(keys(running(40)));
	const all = [running(0), running(40), running(40, 't2'), task({ status: 'completed' })].flatMap(
		keys,
	);
	expect(new Set(all).size).toBe(new Set(all.filter((key) => key !== 't1:started')).size + 1);
	// A task ends once, whatever it is called later.
	expect(keys(task({ status: 'cancelled' }))).toEqual(keys(task({ status: 'aborted' })));
});

it('progress needs a percent', () => {
	expect(events(task({ status: 'running', progress: {} }))).toEqual([]);
	expect(events(task({ status: 'running', progress: null }))).toEqual([]);
	expect(events(task({ status: 'running', progress: { percent: 0 } }))).toEqual(['progress']);
});

it('only chosen events are found', () => {
	const record = task({ status: 'completed', created_at: BEGUN });
	expect(taskOccurrences({ events: ['failed'], types: [] })(record, BEGUN)).toEqual([]);
	expect(taskOccurrences({ events: ['started'], types: [] })(record, BEGUN)).toHaveLength(1);
});

it('only tasks of the types and of the site count', () => {
	const record = task({ status: 'completed' });
	expect(events(record, { types: ['download', 'restore'] })).toEqual(['completed']);
	expect(events(record, { types: ['download'] })).toEqual([]);
	expect(events(record, { siteId: 's2' })).toEqual(['completed']);
	expect(events(record, { siteId: 's' })).toEqual([]);
	expect(
		events(task({ status: 'completed', input: { sites: [{ id: 7 }] } }), { siteId: '7' }),
	).toEqual(['completed']);
});

it.each([undefined, null, {}, { sites: null }, { sites: 's1' }, { sites: [null, 's1'] }])(
	'a task whose input is %j is of no site',
	(input) => {
		expect(events(task({ status: 'completed', input }), { siteId: 's1' })).toEqual([]);
		expect(events(task({ status: 'completed', input }))).toEqual(['completed']);
	},
);

it('one type goes into the query; several and none do not', () => {
	expect(taskQuery({ events: ALL, types: ['restore'] })).toEqual({ 'filters[type:eq]': 'restore' });
	expect(taskQuery({ events: ALL, types: ['restore', 'upload'] })).toEqual({});
	expect(taskQuery({ events: ALL, types: [] })).toEqual({});
});

it('every type of task can be chosen, once, sorted by name', () => {
	const values = (options: Array<{ value: unknown }>) => options.map(({ value }) => value).sort();
	expect(values(groupedTaskTypes)).toEqual(values(taskTypes));
	const names = groupedTaskTypes.map(({ name }) => name);
	expect(names).toEqual([...new Set(names)].sort((a, b) => a.localeCompare(b)));
	expect(
		names.filter(
			(name) => !/^(Backups|Other|Plugins|Reports|Staging|Themes|Updates|Users): /.test(name),
		),
	).toEqual([]);
});
