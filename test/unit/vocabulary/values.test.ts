import { history } from '../../../nodes/AutoUpdate/resources/history';
import { report } from '../../../nodes/Report/resources/report';
import { site } from '../../../nodes/Site/resources/site';
import { snapshot } from '../../../nodes/Snapshot/resources/snapshot';
import { stagingSite } from '../../../nodes/StagingSite/resources/stagingSite';
import { task } from '../../../nodes/Task/resources/task';
import { otherStatus } from '../../../nodes/shared/resources/statusEvents';
import {
	mayGoOn,
	type StatusClass,
	statusClass,
	type StatusKind,
	statusWord,
} from '../../../nodes/shared/vocabulary/values';

it.each<[StatusKind, unknown, StatusClass]>([
	['task', 'queued', 'underWay'],
	['task', 'completed', 'succeeded'],
	['task', 'aborted', 'failed'],
	['task', 'cancelled', 'cancelled'],
	['task', 'no_updates', 'unknown'],
	['autoUpdateRun', 'no_updates', 'nothingToDo'],
	['snapshot', 'waiting', 'underWay'],
	['snapshot', 'succeeded', 'succeeded'],
	['snapshot', 'completed', 'unknown'],
	['reportEmail', 'sent', 'underWay'],
	['reportEmail', 'spam', 'failed'],
	['stagingSite', 'suspended', 'bad'],
	['connection', 'disconnected', 'bad'],
	['scanner', 'clean', 'good'],
	['uptime', 'down', 'bad'],
	['uptime', 'paused', 'unknown'],
])('of a %s, %j is %s', (kind, status, expected) => {
	expect(statusClass(kind, status)).toBe(expected);
});

it.each(['In Progress', 'in-progress', 'IN__PROGRESS', ' in  progress '])(
	'%j is in_progress',
	(status) => expect(statusWord(status)).toBe('in_progress'),
);

it.each([null, '  ', {}, ['completed'], true, 'constructor', '__proto__', 'toString'])(
	'%j has no class, and is not a success',
	(status) => {
		expect(statusClass('task', status)).toBe('unknown');
		expect(mayGoOn('task', status)).toBe(true);
	},
);

/** The values of the choices that a resource's filter on a status has. */
function statuses(resource: object, parameter: string): string[] {
	const found: string[] = [];
	JSON.stringify(resource, (_, value: unknown) => {
		const { name, options } = (value ?? {}) as { name?: string; options?: object[] };
		if (name === parameter && options) {
			found.push(...options.map((option) => String((option as { value: unknown }).value)));
		}
		return value;
	});
	return found;
}

it.each<[StatusKind, object, string]>([
	['task', task, 'status'],
	['autoUpdateRun', history, 'status'],
	['snapshot', snapshot, 'status'],
	['stagingSite', stagingSite, 'status'],
	['reportEmail', report, 'recipientStatus'],
	['connection', site, 'connectionStatus'],
	['scanner', site, 'scannerStatus'],
])('each status of a %s that can be asked for is known', (kind, resource, parameter) => {
	const values = statuses(resource, parameter);
	expect(values.length).toBeGreaterThan(1);
	expect(values.filter((value) => statusClass(kind, value) === 'unknown')).toEqual([]);
});

it('the events of a status are one for each unknown word, in any spelling', () => {
	const [paused] = otherStatus('task', 'paused');
	expect(paused).toEqual({ key: expect.stringMatching(/^w[\w-]+$/), event: 'otherStatus' });
	expect(otherStatus('task', ' Paused')).toEqual([paused]);
	expect(otherStatus('task', 'on hold')).not.toEqual([paused]);
	expect(otherStatus('task', 'paused', 'a')).not.toEqual(otherStatus('task', 'paused', 'b'));
});

it.each(['completed', 'running', '', null, undefined])('the status %j has no events', (status) => {
	expect(otherStatus('task', status)).toEqual([]);
});
