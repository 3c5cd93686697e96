import type {
	IBinaryData,
	IDataObject,
	IExecuteSingleFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INode,
	INodeParameters,
} from 'n8n-workflow';

/** Items of a run as n8n hands them to a node, without n8n: for tests of a room alone. */

export type Sent = IHttpRequestOptions & { url: string };

/** An answer of the service; 200 without more. An Error where none comes. */
export type Given = { status?: number; body?: unknown; headers?: IDataObject } | Error;

export interface ItemsOptions {
	/** What stands in the node. */
	parameters?: INodeParameters;
	/** What expressions give, by their text. */
	gives?: Record<string, unknown>;
	binary?: Record<string, Partial<IBinaryData>>;
	node?: Partial<INode>;
	/** Whether it runs as a tool of an agent; a trigger has no run. */
	as?: 'tool' | 'trigger';
	/** How many items the run has. */
	count?: number;
	continuesOnFail?: boolean;
	access?: string;
	signal?: AbortSignal;
	/** What the service answers. */
	answer?: (sent: Sent) => Given | Promise<Given>;
	/** What another host answers. */
	elsewhere?: (sent: Sent) => Given;
}

let accounts = 0;

const responseOf = (given: Given): IN8nHttpFullResponse => {
	if (given instanceof Error) throw given;
	const { status = 200, body = {}, headers = {} } = given;
	return { statusCode: status, body: body as IDataObject, headers };
};

/** The items of one run, with an account of their own; what was sent is noted, as is which parameters were evaluated. */
export function itemsOf(options: ItemsOptions = {}) {
	const { parameters = {}, gives = {}, binary = {}, count = 1, as, node } = options;
	const evaluated = (raw: unknown): unknown => {
		if (typeof raw === 'string') return raw.startsWith('=') ? gives[raw] : raw;
		if (Array.isArray(raw)) return raw.map(evaluated);
		if (typeof raw !== 'object' || raw === null) return raw;
		return Object.fromEntries(Object.entries(raw).map(([key, each]) => [key, evaluated(each)]));
	};
	const definition = {
		id: 'node-under-test',
		name: 'Thing',
		type: `n8n-nodes-site-management.thing${as === 'tool' ? 'Tool' : ''}`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { siteManagementApi: { id: '1', name: 'Mine' } },
		...node,
	};
	const sent: Sent[] = [];
	const asked: string[] = [];
	const logged: string[] = [];
	accounts += 1;
	const credential = {
		baseUrl: 'https://api.example.com/api/v6',
		apiToken: `token-${accounts}`,
		access: options.access,
	};
	const data = {
		node: as === 'tool' ? { ...definition, name: 'Agent' } : definition,
		data: { main: [Array.from({ length: count }, () => ({ json: {} }))] },
		source: null,
	};
	const valueAt = (path: string) =>
		path
			.split('.')
			.reduce<unknown>((held, key) => (held as INodeParameters | undefined)?.[key], parameters);
	const contexts = Array.from({ length: count }, (_, index) => ({
		getNode: () => definition,
		getNodeParameter: (path: string, fallback: unknown) => {
			asked.push(path);
			return valueAt(path) === undefined ? fallback : evaluated(valueAt(path));
		},
		getTimezone: () => 'utc',
		continueOnFail: () => options.continuesOnFail ?? false,
		getCredentials: async () => credential,
		...(as !== 'trigger' && { getExecuteData: () => data, getItemIndex: () => index }),
		...(options.signal && { getExecutionCancelSignal: () => options.signal }),
		logger: { info: (line: string) => void logged.push(line) },
		helpers: {
			assertBinaryData: (name: string) => {
				if (!binary[name]) throw new Error('no such binary');
				return binary[name];
			},
			getBinaryDataBuffer: async (name: string) => Buffer.from(`content of ${name}`),
			prepareBinaryData: async (
				content: AsyncIterable<Buffer>,
				fileName: string,
				mimeType: string,
			) => {
				const chunks: Buffer[] = [];
				for await (const chunk of content) chunks.push(chunk);
				return { data: Buffer.concat(chunks).toString('base64'), fileName, mimeType };
			},
			httpRequestWithAuthentication: async (_: string, request: Sent) => {
				sent.push(request);
				return responseOf((await options.answer?.(request)) ?? {});
			},
			httpRequest: async (request: Sent) => {
				sent.push(request);
				return responseOf(options.elsewhere?.(request) ?? {});
			},
		},
	})) as unknown as IExecuteSingleFunctions[];
	return { items: contexts, item: contexts[0]!, sent, asked, logged };
}
