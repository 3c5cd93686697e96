import type {
	INodeExecutionData,
	INodePropertyOptions,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import type { Field } from '../describe';
import { activationMessage, described, pollNotice } from '../describe';
import type { Settings } from '../input/field';
import { CLOSED } from '../input/forms';
import { readSettings } from '../input/read';
import type { Polled } from '../polling/feed';
import { withNames } from '../polling/parameters';
import { poll } from '../polling/poll';

const EVENTS: Field = {
	displayName: 'Events',
	name: 'events',
	type: 'multiOptions',
	closed: CLOSED.ofNode,
	default: [],
	required: true,
};

/** The events of a trigger. @param description what starts the workflow */
export const eventsField = (
	options: INodePropertyOptions[],
	byDefault: string[],
	description: string,
): Field => ({ ...EVENTS, options, default: byDefault, description });

/** What its parameters make of a trigger; n8n's linter wants to read all else in its class. */
export const triggerOf = (
	parameters: Field[],
	notice = 'Only events after activation start the workflow.',
) =>
	({
		activationMessage,
		properties: [pollNotice(notice), ...parameters.map(described)],
	}) satisfies Partial<INodeTypeDescription>;

/** One poll of a trigger. @param polled what is polled for the parameters as they are set */
export const pollOf = async (
	context: IPollFunctions,
	parameters: Field[],
	polled: (set: Settings) => Polled,
): Promise<INodeExecutionData[][] | null> =>
	await poll(context, async () =>
		polled(await withNames(context, readSettings(context, parameters))),
	);
