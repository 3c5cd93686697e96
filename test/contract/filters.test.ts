import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { builtOperations } from '../support/builtOperations';
import { mustSucceed, runNode, runOf } from '../support/engine';
import { fleetOnce } from '../support/fleet';
import { locator } from '../support/locator';
import { filterKeys, lists } from '../support/reference';

/** Every filter of every list, all at once: each goes out under the key that the reference has for it. */

const fleet = fleetOnce({ sites: 30 });
let siteId: string;
let tagIds: string[];
beforeAll(async () => {
	const sites = await fleet.sites(30);
	// Lists of a site want backups and its log.
	const fit = sites.find(
		({ sync, backups, activity_logs: logs }) =>
			sync.last_sync_status === 'succeeded' && backups.enabled && logs.enabled,
	);
	siteId = fit!.id;
	tagIds = fleet.world.store.tags
		.all()
		.slice(0, 2)
		.map(({ id }) => id);
});

/** IDs that no list is read for; a number can be the name of a tag, so of tags only those that exist go out. */
const idsFor = (filter: string) =>
	/tag/i.test(filter) ? tagIds : ['5f0c2a9d41a1', '5f0c2a9d41b2'];

type Sample = [set: unknown, sent: string | string[]];

/** A value for a filter and what the service gets of it; times differ, so that no two can be mistaken for each other. */
function sampleOf(
	{ name, type, options = [], typeOptions, placeholder }: INodeProperties,
	index: number,
): Sample {
	const choices = (options as INodePropertyOptions[]).map(({ value }) => String(value));
	const day = `2026-03-${String(index + 1).padStart(2, '0')}`;
	switch (type) {
		case 'boolean':
			return [index % 2 === 0, String(index % 2 === 0)];
		case 'number':
			return [index, String(index)];
		case 'color':
			return ['#112233', '#112233'];
		case 'options':
			return [choices.find(Boolean), choices.find(Boolean)!];
		case 'multiOptions':
			return choices.length > 0 ? [choices, choices] : [idsFor(name), idsFor(name)];
		case 'dateTime':
			return typeOptions?.dateOnly ? [day, day] : [`${day}T00:00:00`, `${day}T00:00:00Z`];
		case 'resourceLocator':
			return [locator(`5f0c2a9d4${index}`), `5f0c2a9d4${index}`];
		default: {
			const text = placeholder!.replace('e.g. ', '');
			return [text, text];
		}
	}
}

it.each(lists)('$route', async (list) => {
	const { fields } = (await builtOperations()).find(({ name }) => name === list.operation)!;
	const options = (fields.find(({ name }) => name === 'filters')?.options ??
		[]) as INodeProperties[];
	const offered = options.filter(({ routing }) => routing?.send?.property);
	const samples = offered.map((property, index) => [property, sampleOf(property, index)] as const);
	const set = {
		...(list.route.includes('{site_id}') && { siteId: locator(siteId) }),
		filters: Object.fromEntries(samples.map(([{ name }, [value]]) => [name, value])),
	};
	mustSucceed(await runNode(fleet, runOf(list.operation, set)));
	// Before it may stand the list in which tags are looked up.
	const { query } = [...fleet.sent()]
		.reverse()
		.find(({ route }) => route !== 'GET /tags' || list.route === route)!;
	const sent = Object.entries(query)
		.filter(([key]) => key.startsWith('filters['))
		.map(([key, value]) => [key.replace(/\[\]$/, ''), value]);
	const wanted = samples.map(([{ routing }, [, text]]) => [routing!.send!.property, text]);
	expect(Object.fromEntries(sent)).toEqual(Object.fromEntries(wanted));
	expect(sent.map(([key]) => key).sort()).toEqual(filterKeys(list).sort());
});
