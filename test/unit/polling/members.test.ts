import { HOUR, MINUTE, startTrigger, state, type Trigger } from '../../support/engine/feedTrigger';

/** What the histories of `exactlyOnce` do not show of a state: when its list is read, and what a list lacks. */

const ids = (count: number) => [...Array(count).keys()].map((index) => `s${index}`);

let trigger: Trigger;
const set = (id: string, value: string, changed = {}) =>
	trigger.write(id, { state: value, ...changed }, 'others');

/** A poll a minute later, and how many requests it takes. */
async function poll() {
	await trigger.time.advance(MINUTE);
	trigger.service.requests.length = 0;
	const told = (await trigger.poll()).sort();
	return { told, requests: trigger.service.requests };
}

/** Records that are in the state when the trigger is switched on; its list does not fit on a page. */
async function begin(count: number) {
	trigger = startTrigger({ others: state() });
	trigger.service.pageSize = 3;
	for (const id of ids(count)) {
		await trigger.time.advance(1);
		set(id, 'in');
	}
	await trigger.time.advance(HOUR);
	expect((await poll()).told).toEqual([]);
	await trigger.settle();
	await trigger.settle();
	expect((await poll()).told).toEqual([]);
}

it.each([
	['at the activation', 0],
	['later', 30],
])('after a change of many %s, the list is read again after the overlap', async (_, count) => {
	trigger = startTrigger({ others: state() });
	trigger.service.pageSize = 3;
	for (const id of ids(30)) set(id, 'in');
	await poll();
	for (const id of ids(count)) set(id, 'in');
	if (count > 0) await poll();
	const isRead: boolean[] = [];
	for (let minute = 0; minute < 25; minute++) isRead.push((await poll()).requests.length > 1);
	expect(isRead.indexOf(true)).toBe(10);
	expect(isRead.filter(Boolean)).toHaveLength(1);
});

it('one that shows in no newest change is found once an hour', async () => {
	await begin(5);
	trigger.rows['/others']!.splice(0, 1);
	const at = '2026-03-01T00:00:00.000Z';
	set('hidden', 'in', { updated_at: at });
	const { told, requests } = await poll();
	expect([told, requests.length]).toEqual([[], 1]);
	await trigger.time.advance(HOUR);
	expect((await poll()).told).toEqual(['hidden in']);
});

it('many that have left are found while one that has left is dated ahead', async () => {
	trigger = startTrigger({ others: state() });
	set('ahead', 'out', { updated_at: '2026-04-01T00:00:00.000Z' });
	await trigger.time.advance(HOUR);
	for (const id of ids(40)) set(id, 'in');
	expect((await poll()).told).toEqual([]);
	await trigger.settle();
	for (const id of ids(20)) set(id, 'out');
	const { told, requests } = await poll();
	expect(told).toHaveLength(20);
	expect(requests.filter((path) => path.includes('/others/'))).toEqual([]);
	expect(trigger.rows['/others']).toHaveLength(41);
});

it('one that the list lacks for once, although it is in the state, stays in it', async () => {
	await begin(5);
	trigger.service.lacks = ({ id }) => id === 's2';
	expect((await poll()).told).toEqual([]);
	trigger.service.lacks = () => false;
	expect((await poll()).told).toEqual([]);
	set('s2', 'out');
	expect((await poll()).told).toEqual(['s2 out']);
});
