import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';
import { outputFaults } from '../outputRules';
import { ActiveTrigger } from './activeTrigger';
import type { Access } from './oneNode';
import { credentialType, eventsOf, nodeType } from './package';
import { Installation } from './process';
import type { NodeRun } from './run';

/** A trigger of the built package that is active in n8n, in real time. */

/** The events that polls have told of in this test file, by trigger. */
const toldEvents = new Map<string, Set<unknown>>();

/** What polls give by default has names by the rules of all outputs, and the description has them. */
function keepRules(items: IDataObject[], { description }: INodeType): void {
	const told = description.builderHint!.extraTypeDefContent![0]!.content.split(/\W+/);
	const faults = items.flatMap((item) => {
		const names = Object.keys(item);
		return [
			...outputFaults(names),
			...names.filter((name) => !told.includes(name)).map((name) => `is not said to have ${name}`),
		];
	});
	if (faults.length > 0)
		throw new Error(`An item of the trigger ${[...new Set(faults)].join(', ')}`);
}

/** To be called at the end of the examples of a trigger: each of its events must have been told by them. */
export function everyEventHasExample(trigger: string): void {
	it('every event has an example', async () => {
		const file = `test/contract/triggers/${trigger.replace('Trigger', '')}.test.ts`;
		const untold = (await eventsOf(trigger)).filter(
			(event) => !toldEvents.get(trigger)?.has(event),
		);
		expect(untold.map((event) => `${file}: add an example of "${event}"`)).toEqual([]);
	});
}

let workflows = 0;

/** Each `poll` is one tick; the first one is that of the activation. */
export async function activate(access: Access, run: NodeRun) {
	const { node, settings, timezone } = run;
	const type = await nodeType(node);
	const install = () => ({ type, credential: credentialType() });
	const id = `workflow-${workflows++}`;
	const options = {
		...{ id, access, timezone },
		settings: { parameters: run.parameters, ...settings },
	};
	const trigger = new ActiveTrigger(new Installation({ node, mode: 'default', install }), options);
	const told = toldEvents.get(node) ?? new Set();
	toldEvents.set(node, told);
	return {
		poll: async () => {
			const items = (await trigger.poll())?.map(({ json }) => json) ?? null;
			for (const { event } of items ?? []) told.add(event);
			if ((run.parameters.output ?? 'simplified') === 'simplified') keepRules(items ?? [], type);
			return items;
		},
		/** A tick with the items as they are, files included. */
		pollItems: async () => await trigger.poll(),
		test: async () => (await trigger.test())?.map(({ json }) => json) ?? null,
		/** Stops n8n and starts it again: only what it has saved is left. */
		restart: async () => await trigger.restart(),
		/** Saves the active workflow with other parameters. */
		change: async (parameters: INodeParameters) => await trigger.edit({ parameters }),
		/** Switches the workflow off and on again. */
		reactivate: () => trigger.reactivate(),
		state: () => trigger.state(),
	};
}
