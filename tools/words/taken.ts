import { KEYS } from '../../nodes/shared/vocabulary/words';
import { routes } from '../../sandbox/service/modules';

/** What of a schema has names in it. */
interface Described {
	properties?: Record<string, Described>;
	items?: Described;
	anyOf?: Described[];
	enum?: unknown[];
	const?: unknown;
}

/** The names of the API by where they stand: `a field`, or the field whose values they are. */
const taken = new Map<string, Set<unknown>>();

const add = (place: string, name: unknown) =>
	void taken.set(place, (taken.get(place) ?? new Set()).add(name));

function collect({ properties = {}, items, anyOf = [], ...rest }: Described, field = ''): void {
	for (const value of [...(rest.enum ?? []), ...('const' in rest ? [rest.const] : [])]) {
		add(field, value);
	}
	for (const one of anyOf) collect(one, field);
	if (items) collect(items, field);
	for (const [name, below] of Object.entries(properties)) {
		if (!KEYS.includes(name)) add('a field', name);
		collect(below, name);
	}
}

for (const { body, response, query } of routes) {
	for (const schema of [body, response]) if (schema) collect(schema as Described);
	for (const name of Object.keys(query ?? {})) add('a field', name);
}

/** Whether the API has this name there already. */
export const isTaken = (place: string, name: string): boolean =>
	taken.get(place)?.has(name) ?? false;
