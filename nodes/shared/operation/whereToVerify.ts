import type { Operation, Resource } from './index';
import { partsOf } from './index';

/** Where the user can see whether a change was made. */
export interface WhereToVerify {
	/** Path with names of IDs. */
	path: string;
	/** The operation that reads it, such as `Tag: Get`. */
	label: string;
	/** Operations that list the IDs of the route, such as `Site: Get Many and Note: Get Many`. */
	lists: string;
}

/** The operation that reads the changed record, or else the nearest one above it in the path. */
export function whereToVerify(resources: Resource[], { route, answer }: Operation): WhereToVerify {
	const reads = resources.flatMap(({ name, operations }) =>
		operations
			.filter((each) => each.route.startsWith('GET ') && !each.composed)
			.map((each) => ({ path: each.route.slice(4), label: `${name}: ${each.labels.name}` })),
	);
	const readsOf = (path: string) => reads.filter((each) => each.path === path);
	const { template } = partsOf(route);
	const parts = template.split('/');
	const paths = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
	const lists = paths.filter((path) => template.startsWith(`${path}/{`)).flatMap(readsOf);
	const found = answer.kind === 'task' ? undefined : paths.reverse().flatMap(readsOf)[0];
	return {
		...(found ?? { path: '/tasks', label: 'Task: Get Many' }),
		lists: lists.map(({ label }) => label).join(' and '),
	};
}
