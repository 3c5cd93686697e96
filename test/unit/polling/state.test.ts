import type { IDataObject } from 'n8n-workflow';
import type * as Polling from '../../../nodes/shared/polling/poll';
import type * as Clocks from '../../../nodes/shared/lib';
import {
	activate,
	beginAtNoon,
	iso,
	MINUTE,
	polledOf,
	Service,
	settle,
	time,
	timed,
} from '../../support/pollLists';

/** What is known of a trigger outlives upgrades, renames and resets of what n8n keeps. */

beforeEach(() => beginAtNoon());

/** The package's modules, loaded anew. */
function anotherVersion() {
	let version!: typeof Polling.poll;
	jest.isolateModules(() => {
		const { clock } = jest.requireActual<typeof Clocks>('../../../nodes/shared/lib');
		const { now } = time;
		beginAtNoon(clock);
		time.now = now;
		version = jest.requireActual<typeof Polling>('../../../nodes/shared/polling/poll').poll;
	});
	return version;
}

async function begun() {
	const service = new Service();
	service.write('before', { status: 'open' });
	settle();
	const trigger = activate(service, polledOf({ things: timed() }));
	await trigger.poll();
	settle();
	return { service, trigger };
}

describe('an upgrade while n8n runs', () => {
	it('loses and repeats nothing', async () => {
		const { service, trigger } = await begun();
		service.write('a', { status: 'open' });
		trigger.upgrade(anotherVersion());
		expect(await trigger.poll()).toEqual(['a open']);
		settle();
		service.write('b', { status: 'open' });
		expect(await trigger.poll()).toEqual(['b open']);
		trigger.upgrade(anotherVersion());
		expect(await trigger.poll()).toBeNull();
	});

	it('has the poll that is under way end first', async () => {
		const { service, trigger } = await begun();
		service.write('a', { status: 'open' });
		let second: Promise<unknown> | undefined;
		service.instead = () => {
			if (!second) {
				trigger.upgrade(anotherVersion());
				second = trigger.poll();
			}
			return undefined;
		};
		expect(await trigger.poll()).toEqual(['a open']);
		expect(await second).toBeNull();
		expect(await trigger.poll()).toBeNull();
	});
});

describe.each([
	['in the same process', false],
	['after a restart of n8n', true],
])('a node that is renamed, %s', (_, restarts) => {
	it('continues from its state', async () => {
		const { service, trigger } = await begun();
		service.write('a', { status: 'open' });
		expect(await trigger.poll()).toEqual(['a open']);
		settle();
		service.write('b', { status: 'open' });
		trigger.edit({ name: 'Renamed' });
		if (restarts) trigger.upgrade(anotherVersion());
		expect(await trigger.poll()).toEqual(['b open']);
		expect(await trigger.poll()).toBeNull();
	});

	it('takes no other node to be itself', async () => {
		const { service, trigger } = await begun();
		const ofOther = { epoch: 'other', node: 'another', feeds: {} };
		settle();
		service.write('a', { status: 'open' });
		expect(await trigger.poll()).toEqual(['a open']);
		settle();
		service.write('b', { status: 'open' });
		const staticData = {
			...trigger.saved(),
			'node:Renamed': ofOther,
		};
		trigger.edit({ name: 'Renamed', staticData });
		if (restarts) trigger.upgrade(anotherVersion());
		expect(await trigger.poll()).toEqual(['b open']);
	});
});

it('events that n8n drops because of an edit during the poll are reported by the second poll after it', async () => {
	const { service, trigger } = await begun();
	service.write('a', { status: 'open' });
	let ofEdit: Promise<unknown> | undefined;
	service.instead = () => {
		if (!ofEdit) {
			trigger.edit();
			ofEdit = trigger.poll();
		}
		return undefined;
	};
	// This is what n8n drops.
	expect(await trigger.poll()).toEqual(['a open']);
	expect(await ofEdit).toBeNull();
	expect(await trigger.poll()).toEqual(['a open']);
	expect(await trigger.poll()).toBeNull();
});

it('what n8n keeps can be emptied while it runs', async () => {
	const { service, trigger } = await begun();
	service.write('a', { status: 'open' });
	expect(await trigger.poll()).toEqual(['a open']);
	settle();
	service.write('b', { status: 'open' });
	trigger.edit({ staticData: {} });
	expect(await trigger.poll()).toEqual(['b open']);
	expect(await trigger.poll()).toBeNull();
});

it('what a node that is gone has left is taken away after a month', async () => {
	const { trigger } = await begun();
	const key = 'siteManagementTrigger:gone';
	const { global: mine } = trigger.saved() as { global: IDataObject };
	const at = time.now;
	trigger.edit({ staticData: { global: { ...mine, [key]: { base: '', state: {}, at } } } });
	const left = () => Object.keys(trigger.saved().global as IDataObject);
	time.now += 29 * 24 * 60 * MINUTE;
	await trigger.poll();
	expect(left()).toContain(key);
	time.now += 2 * 24 * 60 * MINUTE;
	await trigger.poll();
	expect(left()).toEqual(Object.keys(mine));
	expect(iso()).toMatch(/^2026-04-01/);
});
