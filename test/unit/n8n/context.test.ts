import { TRACES, leaveTrace, tracing } from '../../../nodes/shared/n8n/context';
import { itemsOf } from '../../support/engine/contexts';

const trace = (value: string) => ({ key: TRACES.tasks, value, line: `The task ${value} goes on` });

const kept = ({ item }: ReturnType<typeof itemsOf>) =>
	(
		item.getWorkflowDataProxy() as unknown as {
			$execution: { customData: { getAll: () => Record<string, string> } };
		}
	).$execution.customData.getAll();

it('a trace is in the custom data and in the log, once each', () => {
	const items = itemsOf();
	const warn = jest.spyOn(items.item.logger, 'warn');
	for (const id of ['t1', 't2', 't1']) leaveTrace(items.item, trace(id));
	expect(kept(items)).toEqual({ siteManagementTasks: 't1; t2' });
	expect(warn).toHaveBeenCalledWith('The task t1 goes on', { node: 'Thing' });
});

it('cuts no ID in half: IDs beyond the limit are in the log', () => {
	const items = itemsOf();
	const ids = Array.from({ length: 60 }, (_, index) => `task-number-${index}`);
	for (const id of ids) leaveTrace(items.item, trace(id));
	const value = kept(items).siteManagementTasks!;
	expect(value.length).toBeLessThanOrEqual(512);
	expect(ids).toEqual(expect.arrayContaining(value.split('; ')));
});

it('a trace is left when the execution ends during the work, and not after it', async () => {
	for (const isDuring of [true, false]) {
		const abort = new AbortController();
		const items = itemsOf({ signal: abort.signal });
		const value = await tracing(items.item, trace('t1'), async () => {
			if (isDuring) abort.abort();
			return 'done';
		});
		abort.abort();
		expect(value).toBe('done');
		expect(kept(items)).toEqual(isDuring ? { siteManagementTasks: 't1' } : {});
	}
});
