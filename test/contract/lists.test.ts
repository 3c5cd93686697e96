import type { INodeProperties, INodePropertyCollection, INodePropertyOptions } from 'n8n-workflow';
import { routes } from '../../sandbox/service/routes';
import { description } from '../support/engine';

/** Every list offers the filters, operators, options and sort keys that the service has, and no others. */

const selectors = async (node: string) =>
	(await description(node)).properties.filter(({ name }) => name === 'operation');

/** The parameters of the list of a resource, and those inside their collections. */
async function parametersOf(node: string, resource: string): Promise<INodeProperties[]> {
	const { properties } = await description(node);
	const shown = properties.filter(({ displayOptions: { show } = {} }) => {
		return show?.resource?.includes(resource) && show.operation?.includes('getAll');
	});
	return shown.flatMap((property) =>
		property.type === 'collection'
			? [property, ...(property.options as INodeProperties[])]
			: [property],
	);
}

function sortKeys(parameters: INodeProperties[]): string[] {
	const sort = parameters.find(({ name }) => name === 'sort');
	const [group] = (sort?.options ?? []) as INodePropertyCollection[];
	const [field] = group?.values ?? [];
	return ((field?.options ?? []) as INodePropertyOptions[]).map(({ value }) => String(value));
}

/** `/sites/{siteId}` and `/sites/{site_id}` are the same. */
const pathForm = (path: string) => path.replace(/\{\w+\}/g, '{}');

it.each(['site', 'tag', 'task'])('the lists of the node %s are complete', async (node) => {
	for (const { displayOptions, options } of await selectors(node)) {
		const resource = String(displayOptions?.show?.resource?.[0]);
		const list = (options as INodePropertyOptions[]).find(({ value }) => value === 'getAll');
		if (!list) continue;
		const { url } = list.routing!.request as { url: string };
		const route = routes.find(
			({ method, path }) => method === 'GET' && pathForm(path) === pathForm(url),
		);
		const { page: _, perPage: __, sort, ...others } = route!.query as Record<string, unknown>;
		const parameters = await parametersOf(node, resource);
		const offered = parameters.flatMap(({ routing }) => routing?.send?.property ?? []);
		const sorts = ((sort as { enum?: string[] } | undefined)?.enum ?? []).map(
			(value) => value.split(',')[0]!,
		);
		expect({ resource, keys: offered.sort(), sort: sortKeys(parameters).sort() }).toEqual({
			resource,
			keys: Object.keys(others)
				.map((key) => key.replace(/\[\]$/, ''))
				.sort(),
			sort: [...new Set(sorts)].sort(),
		});
	}
});
