import * as tables from '../../nodes/resources';
import type { Operation } from '../../nodes/shared/operation/index';
import type { Route } from '../../sandbox/service/http/kit';
import { routes } from '../../sandbox/service/modules';
import { anyId, effectsOf, reference } from '../../test/support/reference';

const resources = Object.values(tables);

/** What a read brings besides records: a file, or a link that signs somebody in; these only on request. */
export const extras = ['files', 'links'] as const;

export type Extra = (typeof extras)[number];

/** The service's own lists of components, which are not in the reference, with the place of what a site has. */
export const componentLists: Readonly<Record<string, string>> = {
	'/sites/wp/plugins': 'wp.plugins',
	'/sites/wp/themes': 'wp.themes',
	'/sites/wp/wordpress-core': 'wp.core',
};

/** A GET of the reference. */
export interface Read {
	/** `GET /tags/{tag_id}` */
	route: string;
	/** `/tags/{tag_id}` */
	path: string;
	/** None for one that only reads records. */
	extra?: Extra;
	/** As the service of the sandbox has it, from the reference: its query and its answer. */
	described: Route;
	/** As the nodes have it: what they make of the answer. */
	operation: Operation;
}

/** Every GET of the reference, in its order. */
export const reads: Read[] = reference
	.filter(({ route }) => route.startsWith('GET '))
	.map(({ route, operation: name }) => {
		const same = (other: string) => anyId(other) === anyId(route);
		const described = routes.find(({ method, path }) => same(`${method} ${path}`))!;
		const operation = resources
			.flatMap(({ operations }) => operations)
			.filter(({ answer, composed }) => answer.kind !== 'wait' && !composed)
			.find((each) => same(each.route))!;
		const isPlain = effectsOf(name).every((effect) => effect === 'reads');
		const extra = described.mediaType ? 'files' : isPlain ? undefined : 'links';
		return { route, path: described.path, described, operation, ...(extra && { extra }) };
	});
