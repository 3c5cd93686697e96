import type { IDataObject } from 'n8n-workflow';
import { entryFeed } from '../../../nodes/ActivityLog/ActivityLogTrigger.node';
import { chosenTasks } from '../../../nodes/Task/TaskTrigger.node';
import { groupedTypeOptions, typeOptions } from '../../../nodes/shared/vocabulary/values';

/** What of a record is an event, in all its forms; how triggers report them: `test/contract/triggers`. */

const task = (more: IDataObject): IDataObject => ({
	...{ id: 't1', type: 'restore', progress: { percent: 40 } },
	...{ created_at: '2026-03-01T11:00:00Z', updated_at: '2026-03-01T13:00:00Z' },
	input: { sites: [{ id: 's1' }, { id: 's2' }] },
	...more,
});

const occurrences = (more: IDataObject, choice: { types?: string[]; siteId?: string } = {}) =>
	chosenTasks(choice.types ?? [], choice.siteId).occurrences(task(more));
const events = (...given: Parameters<typeof occurrences>) =>
	occurrences(...given).map(({ event }) => event);
const keys = (more: IDataObject) => occurrences(more).map(({ key }) => key);

const UNKNOWN = 'a state that is not known';
const running = (progress: IDataObject | null) => ({ status: 'running', progress });

it.each<[IDataObject, string[]]>([
	[{ status: 'initializing' }, ['started']],
	[{ status: ' Completed' }, ['started', 'completed']],
	[{ status: 'failed' }, ['started', 'failed']],
	[{ status: 'aborted' }, ['started', 'failed']],
	[{ status: 'cancelled' }, ['started', 'cancelled']],
	[{ status: UNKNOWN }, ['started', 'otherStatus']],
	[{ status: null }, ['started']],
	[running({ percent: 0 }), ['started', 'progress']],
	[running({}), ['started']],
	[running(null), ['started']],
])('a task with %j has the events %j', (more, expected) => {
	expect(events(more)).toEqual(expected);
});

it('a task in any state may have further events until it has ended', () => {
	const { isOpen, isUncertain } = chosenTasks(['restore']);
	const open = ['initializing', 'running', 'queued', UNKNOWN];
	expect(open.filter((status) => isOpen!(task({ status })))).toEqual(open);
	const ended = ['completed', 'failed', 'aborted', 'cancelled'];
	expect(ended.filter((status) => isOpen!(task({ status })))).toEqual([]);
	expect(isOpen!(task({ status: 'running', type: 'upload' }))).toBe(false);
	expect(open.filter((status) => isUncertain!(task({ status })))).toEqual([UNKNOWN]);
});

it('keys differ by kind and percent, and a task ends once, whatever it is called later', () => {
	const at = (percent: number) => keys(running({ percent }));
	expect(at(40)).toEqual(at(40));
	expect(at(0)).not.toEqual(at(40));
	expect(keys({ status: 'cancelled' })).toEqual(keys({ status: 'aborted' }));
});

it.each<[IDataObject['input'], string, number]>([
	[{ sites: [{ id: 's1' }, { id: 's2' }] }, 's2', 2],
	[{ sites: [{ id: 's1' }, { id: 's2' }] }, 's', 0],
	[{ sites: [{ id: 7 }] }, '7', 2],
	[undefined, 's1', 0],
	[null, 's1', 0],
	[{}, 's1', 0],
	[{ sites: 's1' }, 's1', 0],
	[{ sites: [null, 's1'] }, 's1', 0],
])('a task whose input is %j has of the site %s %i events', (input, siteId, count) => {
	expect(events({ status: 'completed', input }, { siteId })).toHaveLength(count);
	expect(events({ status: 'completed', input })).toHaveLength(2);
});

it('every type of task can be chosen, once, sorted by name', () => {
	const values = (options: Array<{ value: unknown }>) => options.map(({ value }) => value).sort();
	expect(values(groupedTypeOptions)).toEqual(values(typeOptions));
	const names = groupedTypeOptions.map(({ name }) => name);
	expect(names).toEqual([...new Set(names)].sort((a, b) => a.localeCompare(b)));
	const group = /^(Backups|Other|Plugins|Reports|Staging|Themes|Updates|Users): /;
	expect(names.filter((name) => !group.test(name))).toEqual([]);
});

it('another order of the same types of entries is the same choice', () => {
	const { choice } = entryFeed({ objectTypes: ['theme', 'plugin'] });
	expect(choice).toEqual(entryFeed({ objectTypes: ['plugin', 'theme'] }).choice);
});
