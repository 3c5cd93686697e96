import type { INodeExecutionData, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import type { Field, Resources } from '../describe';
import {
	builderHint,
	choices,
	described,
	documentation,
	hints,
	optionsFrom,
	properties,
	warning,
} from '../describe';
import type { Settings } from '../input/field';
import { namedIn } from '../input/id';
import { readSettings } from '../input/request';
import { clock, hash, HOUR_MS, textsIn } from '../lib';
import { triggerKey } from '../n8n/context';
import { accountOf } from '../client/request';
import type { Polled } from '../polling/feed';
import { poll } from '../polling/poll';
import { finderFor, withIds } from '../run/names';
import { sender } from '../run/send';

export { documentation, eventNames, iconOf, subtitle } from '../describe';
export { methods } from '../listSearch';

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
		version: [1],
		defaultVersion: 1,
		inputs: [NodeConnectionTypes.Main],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}' },
		requestOperations: { pagination: sender(resources) },
		...(shown.length > 0 && { hints: shown }),
		properties: properties(resources),
	} satisfies Partial<INodeTypeDescription>;
}

/** The events of a trigger. @param description what starts the workflow */
export const eventsField = (
	options: Parameters<typeof optionsFrom>[0],
	byDefault: string[],
	description: string,
): Field =>
	choices('events', 'Events', {
		closed: 'ofNode',
		options: optionsFrom(options),
		default: byDefault,
		required: true,
		description,
	});

/** The description of a trigger. @param returned fields of its items @param notice one or two sentences above the parameters */
export const triggerOf = (
	parameters: Field[],
	returned: string,
	notice = 'Only events after you publish the workflow start it.',
) =>
	({
		...common,
		version: 1,
		group: ['trigger'],
		builderHint: { extraTypeDefContent: [{ content: `Returns: ${returned}` }] },
		polling: true,
		inputs: [],
		activationMessage:
			'The first poll notes where to start. From then on, each event starts the workflow once. Earlier events do not start it.',
		properties: [
			warning(
				'pollNotice',
				`${notice} <a href="${documentation('triggers.md#cost')}" target="_blank">What a poll costs, and what it cannot detect</a>.`,
			),
			...parameters.map(described),
		],
	}) satisfies Partial<INodeTypeDescription>;

/** Parameters with IDs, by trigger; looked up once an hour, so that a quiet poll takes one request. */
const found = new Map<string, { of: string; set: Settings; until: number }>();

/** Replaces names in the parameters of a trigger by IDs, such as a site By URL or a tag By Name. */
async function withNames(context: IPollFunctions, set: Settings): Promise<Settings> {
	if (namedIn(set).length === 0) return set;
	const { baseURL, apiToken } = await accountOf(context);
	const of = hash(JSON.stringify([baseURL, apiToken, set]), 16);
	const known = found.get(triggerKey(context));
	if (known?.of === of && known.until > clock.now()) return known.set;
	await withIds(finderFor(context), set);
	found.set(triggerKey(context), { of, set, until: clock.now() + HOUR_MS });
	return set;
}

/** The poll of a trigger. @param polled returns its feeds and output for the parameters; the chosen events are added */
export const pollOf = (
	parameters: Field[],
	polled: (set: Settings, context: IPollFunctions) => Polled,
) =>
	async function (this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const polling = poll(this, async () => {
			const set = await withNames(this, readSettings(this, parameters));
			return {
				...(set.events !== undefined && { events: textsIn(set.events) }),
				...polled(set, this),
			};
		});
		return await polling.catch((error: unknown) => {
			// The site of a URL or a title may be another one by now.
			found.delete(triggerKey(this));
			throw error;
		});
	};
