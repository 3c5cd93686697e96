import { Readable } from 'node:stream';
import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { ExecuteSingleContext, PollContext } from 'n8n-core';
import {
	createRunExecutionData,
	type IBinaryData,
	type IDataObject,
	type IHttpRequestOptions,
	type INode,
	type INodeParameters,
	type INodeProperties,
	type INodeType,
	NodeConnectionTypes,
	type Workflow,
	type WorkflowActivateMode,
} from 'n8n-workflow';
import { SiteManagementApi } from '../../../credentials/SiteManagementApi.credentials';
import { DEED } from '../../../nodes/shared/access/deed';
import { axios } from './axios';
import { type Access, additionalData, Credentials, nodeIn, optionsIn, workflowOf } from './oneNode';

/**
 * n8n's contexts of a node that a test brings, for code from source: those of items, of a poll and of a list, with the
 * project's own credential. Only the wire below n8n's request helper is replaced.
 */

/** A request as n8n is asked to send it. */
export type Sent = IHttpRequestOptions & { url: string };

/** An answer of the service; 200 without more. An Error where none comes. */
export type Given = { status?: number; body?: unknown; headers?: IDataObject } | Error;

interface NodeOptions {
	/** What stands in the node; n8n drops what is none of its properties. */
	parameters?: INodeParameters;
	properties?: INodeProperties[];
	node?: Partial<INode>;
	baseUrl?: string;
	limits?: object;
	answer?: (sent: Sent) => Given | Promise<Given>;
	/** What is answered to a request without the token. */
	elsewhere?: (sent: Sent) => Given;
}

export interface ItemsOptions extends NodeOptions {
	/** Of each item, by field. */
	binary?: Record<string, Partial<IBinaryData>>;
	/** Whether it runs as a tool that an agent calls itself. */
	asTool?: boolean;
	count?: number;
	continuesOnFail?: boolean;
	signal?: AbortSignal;
}

/** Who answers, by the header with the token. */
const answers = new Map<string, NodeOptions['answer']>();

/** Who answers what has none. */
let elsewhere: NodeOptions['elsewhere'];

/** The end of n8n's request helper. */
async function receive(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
	const { method = '', url = '', params, baseURL, responseType } = config;
	const sent = { method: method.toUpperCase(), url, qs: params as IDataObject, baseURL } as Sent;
	const token = config.headers.get('Authorization');
	const answer = typeof token === 'string' ? answers.get(token) : elsewhere;
	const given = (await answer?.(sent)) ?? {};
	if (given instanceof Error) throw given;
	const { status = 200, body = {}, headers = {} } = given;
	const text = typeof body === 'string' ? body : JSON.stringify(body);
	const content = responseType === 'stream' ? Readable.from([Buffer.from(text)]) : text;
	const data: unknown = body instanceof Readable ? body : content;
	return { status, data, headers: headers as never, statusText: '', config, request: {} };
}

/** As `Credentials`; notes what n8n is asked to send. */
class Noting extends Credentials {
	readonly sent: Sent[] = [];

	override async authenticate(...given: Parameters<Credentials['authenticate']>) {
		const signed = await super.authenticate(...given);
		// What the nodes tell the signer is not sent.
		const { [DEED]: _, ...sent } = given[2] as Sent & { [DEED]?: unknown };
		this.sent.push(sent as Sent);
		return signed;
	}
}

let accounts = 0;

/** An account that nobody else has. */
export const ownAccount = (more: Partial<Access> = {}): Access => ({
	baseUrl: 'https://api.example.com/api/v6',
	token: `token-${++accounts}`,
	...more,
});

/** The credential type of the project, from source. */
export const ownCredential = () => new SiteManagementApi();

/** A node type that does nothing by itself. */
export const thing = (name: string, properties: INodeProperties[] = []): INodeType => ({
	description: {
		...{ displayName: 'Thing', name, group: [], version: 1, description: '', defaults: {} },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'siteManagementApi', required: true }],
		properties,
	},
});

/** Workflows of one node, which has an account of its own. */
function nodeOf(options: NodeOptions, node: string) {
	const { parameters = {}, baseUrl, limits } = options;
	const type = thing(node, options.properties);
	const access = ownAccount({ ...(baseUrl !== undefined && { baseUrl }), limits });
	answers.set(`Bearer ${access.token}`, options.answer);
	elsewhere = options.elsewhere;
	axios.defaults.adapter = receive;
	const credentials = new Noting(ownCredential, access);
	const settings = { name: 'Thing', parameters, ...options.node };
	const open = (copy = '', name = settings.name) =>
		workflowOf({
			...{ node, typeOf: () => type, id: `workflow-of-${access.token}${copy}` },
			settings: structuredClone({ ...settings, name }),
		});
	return { open, data: additionalData(credentials), sent: credentials.sent };
}

/** The items of one run of an action node; what n8n was asked to send is noted. */
export function itemsOf(options: ItemsOptions = {}) {
	const { binary, count = 1, asTool = false, continuesOnFail, signal } = options;
	const settings = continuesOnFail && { onError: 'continueRegularOutput' as const };
	const { open, data, sent } = nodeOf(
		{ ...options, node: { ...settings, ...options.node } },
		asTool ? 'thingTool' : 'thing',
	);
	const workflow = open();
	const node = nodeIn(workflow);
	const input = Array.from({ length: count }, () => ({
		json: {},
		...(binary && { binary: binary as Record<string, IBinaryData> }),
	}));
	const execute = {
		node: asTool ? { ...node, name: 'Agent' } : node,
		data: { main: [input] },
		source: null,
	};
	const run = createRunExecutionData({ executionData: { nodeExecutionStack: [execute] } });
	const { main } = execute.data;
	const items = input.map((_, at) => {
		const before = [workflow, node, data, 'manual', run, 0, input, { main }] as const;
		return new ExecuteSingleContext(...before, at, execute, signal);
	});
	return { items, item: items[0]!, sent };
}

/**
 * A trigger at a poll; `open` has n8n open its workflow anew.
 * @param cursor the state that n8n works on, where that is not the workflow's own
 */
export function triggerOf(options: NodeOptions = {}) {
	const { open, data, sent } = nodeOf(options, 'thingTrigger');
	const contextIn = (
		workflow: Workflow,
		activation: WorkflowActivateMode = 'activate',
		cursor?: IDataObject,
	) => {
		const none = [undefined, undefined, undefined, undefined] as const;
		const of = [workflow, nodeIn(workflow), data, 'trigger', activation] as const;
		return new PollContext(...of, ...none, cursor && (() => cursor));
	};
	return { open, contextIn, context: contextIn(open()), sent };
}

export function listOf(options: NodeOptions = {}) {
	const { open, data } = nodeOf(options, 'thing');
	return optionsIn(open(), data, options.parameters ?? {});
}
