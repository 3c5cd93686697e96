import { endOf, otherForms } from '../../nodes/shared/document/moved';
import type { ApiOperation } from './openapi';
import type { NodeOperation } from './sent';

/** The operations with routes as the nodes have them: without what most paths have in front, such as `/api/v6`. */
export function withoutPrefix(nodes: NodeOperation[], there: ApiOperation[]): ApiOperation[] {
	const votes = new Map<string, number>();
	for (const { route } of there) {
		for (const node of nodes) {
			const [method, path] = node.route.split(' ') as [string, string];
			if (!route.startsWith(`${method} /`) || !route.endsWith(path)) continue;
			const prefix = route.slice(method.length + 1, -path.length);
			votes.set(prefix, (votes.get(prefix) ?? 0) + 1);
		}
	}
	const [[prefix] = ['']] = [...votes].sort(([, one], [, other]) => other - one);
	return there.map((api) => ({ ...api, route: api.route.replace(` ${prefix}/`, ' /') }));
}

/** The operation of the document for each of the nodes': by its route, its name, another usual form, or its path. */
export function paired(nodes: NodeOperation[], there: ApiOperation[]) {
	const found = new Map<NodeOperation, ApiOperation | undefined>();
	const pairBy = (isSame: (node: NodeOperation, api: ApiOperation) => boolean) => {
		const taken = new Set(found.values());
		const free = there.filter((api) => !taken.has(api));
		for (const node of nodes.filter((each) => !found.get(each))) {
			const matching = free.filter((api) => isSame(node, api));
			found.set(node, matching.length === 1 ? matching[0] : undefined);
		}
	};
	pairBy((node, api) => node.route === api.route);
	const namesAreKnown = there.some(({ id }) => nodes.some((node) => id && id === node.id));
	pairBy((node, api) => node.id !== undefined && node.id === api.id);
	pairBy((node, api) => otherForms(node.route).includes(api.route));
	// A known name that is another one tells that it is another operation.
	if (!namesAreKnown) {
		pairBy((node, api) => pathOf(node) === pathOf(api));
		pairBy((node, api) => endOf(node.route) === endOf(api.route));
	}
	return found;
}

const pathOf = ({ route }: { route: string }) => route.split(' ')[1];
