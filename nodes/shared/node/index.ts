import type {
	INodeExecutionData,
	INodePropertyOptions,
	INodeTypeDescription,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Field, Resources } from '../describe';
import { builderHint, described, documentation, hints, properties } from '../describe';
import type { Settings } from '../input/field';
import { CLOSED } from '../input/forms';
import { readSettings } from '../input/request';
import { textsIn } from '../lib/records';
import type { Polled } from '../polling/feed';
import { withNames } from '../polling/parameters';
import { poll } from '../polling/poll';
import { requestDefaults, sender } from '../run/send';

export { documentation, eventsSubtitle, subtitle } from '../describe';
export { methods } from '../listSearch';

/** Alike in all nodes of the package. */
const common = {
	outputs: [NodeConnectionTypes.Main],
	credentials: [{ name: 'siteManagementApi', required: true }],
} satisfies Partial<INodeTypeDescription>;

/** The description of an action node, except for what n8n's linter reads in its class. */
export function nodeOf(...resources: Resources) {
	const shown = hints(resources);
	return {
		...common,
		group: ['transform'],
		defaults: { name: 'Site Management' },
		builderHint: builderHint(resources),
		defaultVersion: 1,
		inputs: [NodeConnectionTypes.Main],
		requestDefaults,
		requestOperations: { pagination: sender(resources) },
		...(shown.length > 0 && { hints: shown }),
		properties: properties(resources),
	} satisfies Partial<INodeTypeDescription>;
}

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

/** The description of a trigger. @param notice one or two sentences above the parameters */
export const triggerOf = (
	parameters: Field[],
	notice = 'Only events after activation start the workflow.',
) =>
	({
		...common,
		group: ['trigger'],
		polling: true,
		inputs: [],
		activationMessage:
			'The first poll notes where to start. From then on, each event starts the workflow once. Earlier events do not start it.',
		properties: [
			{
				displayName: `${notice} <a href="${documentation('triggers.md#cost')}" target="_blank">What a poll costs, and what it cannot detect</a>.`,
				name: 'pollNotice',
				type: 'notice',
				default: '',
			},
			...parameters.map(described),
		],
	}) satisfies Partial<INodeTypeDescription>;

/**
 * The poll of a trigger.
 * @param polled returns the feeds and the output for the values of the parameters; the chosen events are added
 */
export const pollOf = (
	parameters: Field[],
	polled: (set: Settings, context: IPollFunctions) => Polled,
) =>
	async function (this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await poll(this, async () => {
			const set = await withNames(this, readSettings(this, parameters));
			return {
				...(set.events !== undefined && { events: textsIn(set.events) }),
				...polled(set, this),
			};
		});
	};
