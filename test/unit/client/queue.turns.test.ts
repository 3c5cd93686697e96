import { cancelSignal, deadlineOf, endBy } from '../../../nodes/shared/n8n/context';
import { flowOf, PRIORITY, priorityOf } from '../../../nodes/shared/client/queue';
import { itemsOf, listOf, triggerOf } from '../../support/items';

/** Who asks: an item of a run, a list of the editor, a poll. */

const { signal } = new AbortController();
const [one, other] = itemsOf({ count: 2, signal }).items;
const poll = triggerOf().context;
const list = listOf();

it('a person who waits for a list goes first, then polls, then items', () => {
	expect([one!, poll, list].map(priorityOf)).toEqual([
		PRIORITY.items,
		PRIORITY.polls,
		PRIORITY.lists,
	]);
	expect(PRIORITY.lists).toBeGreaterThan(PRIORITY.polls);
	expect(PRIORITY.polls).toBeGreaterThan(PRIORITY.items);
});

it('the items of a run take turns with others together', () => {
	expect(flowOf(one!)).toBe(flowOf(other!));
	expect(flowOf(poll)).toBe(`${poll.getWorkflow().id}/${poll.getNode().id}`);
	expect(flowOf(list)).toBe(list);
});

it('only an execution can be cancelled', () => {
	expect([one!, poll, list].map(cancelSignal)).toEqual([signal, undefined, undefined]);
});

it('has no deadline unless one was set', () => {
	expect(deadlineOf(poll)).toBe(Infinity);
	endBy(poll, 7);
	expect([poll, list].map(deadlineOf)).toEqual([7, Infinity]);
});
