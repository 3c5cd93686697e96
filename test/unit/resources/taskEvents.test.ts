import type { IDataObject } from 'n8n-workflow';
import { chosenTasks } from '../../../nodes/Task/resources/taskEvents';
import { groupedTypeOptions, typeOptions } from '../../../nodes/shared/vocabulary/values';

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
	chosenTasks({ types: [], ...choice })
		.occurrences(record)
		.map(({ event }) => event);

it.each([
	['initializing', ['started']],
	['running', ['started', 'progress']],
	['completed', ['started', 'completed']],
	['failed', ['started', 'failed']],
	['aborted', ['started', 'failed']],
	['cancelled', ['started', 'cancelled']],
	[' Completed', ['started', 'completed']],
	['Running', ['started', 'progress']],
	['a state that is not known', ['started', 'otherStatus']],
	[null, ['started']],
])('a task that is %s', (status, expected) => {
	expect(events(task({ status }))).toEqual(expected);
});

it('a task in any state may have further events until it has ended', () => {
	const { isOpen, isUncertain } = chosenTasks({ types: ['restore'] });
	const open = ['initializing', 'running', 'queued', 'a state that is not known'];
	expect(open.filter((status) => isOpen!(task({ status })))).toEqual(open);
	const ended = ['completed', 'failed', 'aborted', 'cancelled'];
	expect(ended.filter((status) => isOpen!(task({ status })))).toEqual([]);
	expect(isOpen!(task({ status: 'running', type: 'upload' }))).toBe(false);
	expect(open.filter((status) => isUncertain!(task({ status })))).toEqual(open.slice(-1));
});

it('keys differ by kind and percent, and are the same each time', () => {
	const keys = (record: IDataObject) =>
		chosenTasks({ types: [] })
			.occurrences(record)
			.map(({ key }) => key);
	const running = (percent: number) => task({ status: 'running', progress: { percent } });
	expect(keys(running(40))).toEqual(keys(running(40)));
	expect(keys(running(0))).not.toEqual(keys(running(40)));
	// A task ends once, whatever it is called later.
	expect(keys(task({ status: 'cancelled' }))).toEqual(keys(task({ status: 'aborted' })));
});

it('progress needs a percent', () => {
	expect(events(task({ status: 'running', progress: {} }))).toEqual(['started']);
	expect(events(task({ status: 'running', progress: null }))).toEqual(['started']);
	const zero = task({ status: 'running', progress: { percent: 0 } });
	expect(events(zero)).toEqual(['started', 'progress']);
});

it('only tasks of the types and of the site count', () => {
	const record = task({ status: 'completed' });
	expect(events(record, { types: ['download', 'restore'] })).toEqual(['started', 'completed']);
	expect(events(record, { types: ['download'] })).toEqual([]);
	expect(events(record, { siteId: 's2' })).toEqual(['started', 'completed']);
	expect(events(record, { siteId: 's' })).toEqual([]);
	expect(
		events(task({ status: 'completed', input: { sites: [{ id: 7 }] } }), { siteId: '7' }),
	).toEqual(['started', 'completed']);
});

it.each([undefined, null, {}, { sites: null }, { sites: 's1' }, { sites: [null, 's1'] }])(
	'a task whose input is %j has no site',
	(input) => {
		expect(events(task({ status: 'completed', input }), { siteId: 's1' })).toEqual([]);
		expect(events(task({ status: 'completed', input }))).toEqual(['started', 'completed']);
	},
);

it('only a single type is sent in the query', () => {
	expect(chosenTasks({ types: ['restore'] }).query).toEqual({ 'filters[type:eq]': 'restore' });
	expect(chosenTasks({ types: ['restore', 'upload'] }).query).toEqual({});
	expect(chosenTasks({ types: [] }).query).toEqual({});
});

it('every type of task can be chosen, once, sorted by name', () => {
	const values = (options: Array<{ value: unknown }>) => options.map(({ value }) => value).sort();
	expect(values(groupedTypeOptions)).toEqual(values(typeOptions));
	const names = groupedTypeOptions.map(({ name }) => name);
	expect(names).toEqual([...new Set(names)].sort((a, b) => a.localeCompare(b)));
	expect(
		names.filter(
			(name) => !/^(Backups|Other|Plugins|Reports|Staging|Themes|Updates|Users): /.test(name),
		),
	).toEqual([]);
});
