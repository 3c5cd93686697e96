import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { runNode } from '../../support/engine';
import { type Fleet, inStep, startFleet } from '../../support/fleet';

/**
 * The requests that the saved nodes of all operations send, sent once more by Any Operation from the sandbox's API
 * document alone. Names such as `<site>` stay texts: what is sent counts, not what the service responds.
 */

interface Sent {
	route: string;
	query: Record<string, unknown>;
	body?: unknown;
}

const FOLDER = path.resolve(__dirname, '../saved');
const requests = new Map<string, Sent>();
for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.deeds.json'))) {
	const deeds = JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as Record<
		string,
		{ sent: Sent[] }
	>;
	for (const { sent } of Object.values(deeds)) {
		for (const each of sent) requests.set(JSON.stringify(each), each);
	}
}

interface Documented {
	route: string;
	/** Names of the parameters in the path. */
	ids: string[];
	pattern: RegExp;
}

let fleet: Fleet;
let documented: Documented[];
beforeAll(async () => {
	fleet = await startFleet({ sites: 1 });
	const { paths } = (await fleet.api.get('/openapi.json')).data as {
		paths: Record<string, object>;
	};
	documented = Object.entries(paths).flatMap(([template, methods]) =>
		Object.keys(methods).map((method) => ({
			route: `${method.toUpperCase()} ${template}`,
			ids: [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
			pattern: new RegExp(`^${method.toUpperCase()} ${template.replace(/\{\w+\}/g, '([^/]+)')}$`),
		})),
	);
});
afterAll(async () => await fleet.close());

/** The operation of a request; one with fewer names in its path fits better. */
const operationOf = (route: string) =>
	documented
		.filter(({ pattern }) => pattern.test(route))
		.sort((one, other) => one.ids.length - other.ids.length)[0]!;

/** The values of the mapper for a request: a wrapper with one object is not a field of its own. */
function valuesOf({ route, query, body = {} }: Sent): IDataObject {
	const { ids, pattern } = operationOf(route);
	const values: IDataObject = {};
	const [, ...parts] = pattern.exec(route)!;
	for (const [nth, name] of ids.entries()) values[`path.${name}`] = decodeURIComponent(parts[nth]!);
	for (const [name, value] of Object.entries(query)) {
		if (name === 'page' || name === 'perPage') continue;
		values[`query.${name}${Array.isArray(value) ? '[]' : ''}`] = value as IDataObject[string];
	}
	const fields = Object.entries(body as IDataObject);
	const [only] = fields;
	const isWrapped = fields.length === 1 && typeof only![1] === 'object' && !Array.isArray(only![1]);
	const below = isWrapped ? Object.entries(only![1] as IDataObject) : fields;
	for (const [name, value] of below) {
		values[`body.${isWrapped ? `${only![0]}.` : ''}${name}`] = value;
	}
	return values;
}

it.each([...requests.values()].map((sent) => [sent.route, sent] as const))(
	'%s is sent as by its own node',
	async (_route, sent) => {
		inStep(fleet);
		fleet.forget();
		const { error } = await runNode(fleet, {
			node: 'api',
			parameters: {
				...{ resource: 'request', operation: 'anyOperation' },
				apiOperation: { __rl: true, mode: 'id', value: operationOf(sent.route).route },
				apiParameters: { mappingMode: 'defineBelow', value: valuesOf(sent), schema: [] },
				...('perPage' in sent.query ? { limit: Number(sent.query.perPage) } : {}),
			},
		});
		const [first] = fleet.sent().filter(({ route }) => !route.endsWith('/openapi.json'));
		expect({ first, error: first ? undefined : error }).toEqual({ first: sent, error: undefined });
	},
);
