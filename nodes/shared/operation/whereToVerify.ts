import type { Operation, Resource } from './index';
import { partsOf } from './index';

/** Where the user can see whether a change was made. */
export interface WhereToVerify {
	/** Path with names of IDs. */
	path: string;
	/** The operation that reads it, such as `Tag: Get`. */
	label: string;
	/** Operations that list the IDs of its route, such as `Tag: Get Many`. */
	lists?: string;
}

const TASKS: WhereToVerify = { path: '/tasks', label: 'Task: Get Many' };

/** Where to see each change of a node. */
export const whereToVerifyAll = (resources: Resource[]): Map<Operation, WhereToVerify> =>
	new Map(
		resources
			.flatMap(({ operations }) => operations)
			.map((operation) => {
				const lists = listsOf(resources, operation);
				return [operation, { ...whereToVerify(resources, operation), ...(lists && { lists }) }];
			}),
	);

/** The operation that reads the changed record, or else the nearest one above it in the path. */
export function whereToVerify(resources: Resource[], { route, answer }: Operation): WhereToVerify {
	if (answer.kind === 'task') return TASKS;
	const reads = resources.flatMap(({ name, operations }) =>
		operations
			.filter((each) => each.route.startsWith('GET ') && !each.composed)
			.map((each) => ({ path: each.route.slice(4), label: `${name}: ${each.labels.name}` })),
	);
	let path = partsOf(route).template;
	while (path !== '') {
		const found = reads.find((each) => each.path === path);
		if (found) return found;
		path = path.slice(0, path.lastIndexOf('/'));
	}
	return TASKS;
}

/** Operations that list the IDs of a route, joined by `and`. */
function listsOf(resources: Resource[], { route }: Operation): string {
	const parts = partsOf(route).template.split('/');
	const lists = parts.flatMap((part, index) => {
		const list = part.startsWith('{') && `GET ${parts.slice(0, index).join('/')}`;
		return resources.flatMap(({ name, operations }) =>
			operations
				.filter((each) => each.route === list && !each.composed)
				.map(({ labels }) => `${name}: ${labels.name}`),
		);
	});
	return lists.join(' and ');
}
