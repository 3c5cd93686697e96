import type { IDataObject } from 'n8n-workflow';
import { anyOperation } from '../../support/apiNode';
import { runNode } from '../../support/engine';
import { fleetOnce, inStep, type Sent } from '../../support/fleet';
import { savedFamilies, savedRequests } from '../../support/savedNodes';

/**
 * The requests that the saved nodes of all operations send, sent once more by Any Operation from the sandbox's API
 * document alone. Names such as `<site>` stay texts: what is sent counts, not what the service responds.
 */

// The document names the form of a day.
const saved = savedRequests(savedFamilies, (name) => (name === 'day' ? '2026-01-05' : `<${name}>`));
const requests = new Map(saved.map((sent) => [JSON.stringify(sent), sent]));

interface Documented {
	route: string;
	/** Names of the parameters in the path. */
	ids: string[];
	pattern: RegExp;
	/** Names of fields in the body, and of those below its wrapper. */
	fields: string[];
}

const namesIn = (schema: unknown): string[] => {
	const found: string[] = [];
	const walk = (node: unknown) => {
		if (typeof node !== 'object' || node === null) return;
		for (const [key, value] of Object.entries(node)) {
			if (key === 'properties') found.push(...Object.keys(value as object));
			walk(value);
		}
	};
	walk(schema);
	return found;
};

const fleet = fleetOnce({ sites: 1 });
let documented: Documented[];
beforeAll(async () => {
	const { paths } = (await fleet.api.get('/openapi.json')).data as {
		paths: Record<string, Record<string, IDataObject>>;
	};
	documented = Object.entries(paths).flatMap(([template, methods]) =>
		Object.entries(methods).map(([method, { requestBody }]) => ({
			fields: namesIn(requestBody),
			route: `${method.toUpperCase()} ${template}`,
			ids: [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
			pattern: new RegExp(`^${method.toUpperCase()} ${template.replace(/\{\w+\}/g, '([^/]+)')}$`),
		})),
	);
});

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
		values[`query.${name}`] = value as IDataObject[string];
	}
	const fields = Object.entries(body as IDataObject);
	const [only] = fields;
	const isWrapped = fields.length === 1 && typeof only![1] === 'object' && !Array.isArray(only![1]);
	const below = isWrapped ? Object.entries(only![1] as IDataObject) : fields;
	const inputs = new Set(operationOf(route).fields);
	for (const [name, value] of below) {
		const place = `body.${isWrapped ? `${only![0]}.` : ''}`;
		if (inputs.has(name)) values[`${place}${name}`] = value;
		// The document allows others.
		else values[`${place}*`] = { ...(values[`${place}*`] as IDataObject), [name]: value };
	}
	return values;
}

it.each([...requests.values()].map((sent) => [sent.route, sent] as const))(
	'%s is sent as by its own node',
	async (_route, sent) => {
		inStep(fleet);
		const all = Object.entries(valuesOf(sent));
		const values = Object.fromEntries(all.filter(([, value]) => value !== null));
		const emptied = all.filter(([, value]) => value === null).map(([key]) => key.split('.').at(-1));
		const { route } = operationOf(sent.route);
		const run = anyOperation(route, values, {
			...('perPage' in sent.query ? { limit: Number(sent.query.perPage) } : {}),
			options: emptied.length > 0 ? { emptiedParameters: emptied.join(', ') } : {},
		});
		const { error } = await runNode(fleet, run);
		const other = fleet.sent().filter(({ route }) => !route.endsWith('/openapi.json'));
		const [first] = other.map((each) => ({ ...each, route: decodeURIComponent(each.route) }));
		const { page: _, ...query } = first?.query ?? {};
		const { page: __, ...wanted } = sent.query;
		expect(first ? undefined : error).toBeUndefined();
		expect({ ...first, query }).toEqual({ ...sent, query: wanted });
	},
);

it('every operation of the document was sent', () => {
	const sent = new Set([...requests.values()].map(({ route }) => operationOf(route)?.route));
	expect(documented.map(({ route }) => route).filter((route) => !sent.has(route))).toEqual([]);
});
