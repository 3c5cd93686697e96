import type { World } from '../../engine/world';
import { timestampFilters } from '../../http/filters';
import type { Context } from '../../http/context';
import { bulk, failing, type ItemError, resource } from '../../http/kit';
import { fields } from '../../http/paging';
import {
	hexColor,
	ids,
	notBlank,
	nullable,
	string,
	timestamp,
	object,
	changesOf,
	optionals,
} from '../../http/schema';
import { needing } from '../account/needs';
import type { SiteRow } from '../sites/rows';
import { siteIdsBy } from '../sites/rules';
import type { TagRow } from './rows';

const sitesOf = (tag: TagRow, world: World) =>
	world.derive('tag sites', () => siteIdsBy(world, (site) => site.internal.tag_ids)).get(tag.id) ??
	[];

/** Part A 2.15 and 4.13. */
const tags = resource<TagRow>({
	name: 'tag',
	plural: 'tags',
	path: '/tags',
	kind: (store) => store.tags,
	view: (tag, world) => ({
		id: tag.id,
		name: tag.name,
		color: tag.color,
		site_ids: sitesOf(tag, world),
		created_at: tag.created_at,
		updated_at: tag.updated_at,
	}),
	schema: object({
		id: string,
		name: string,
		color: nullable(hexColor),
		site_ids: ids,
		created_at: timestamp,
		updated_at: timestamp,
	}),
});

const tagFields = { name: notBlank, color: nullable(hexColor) };

/** Applies a change to each site of a request, and dates the tag when one was changed. */
const forEachSite =
	(change: (site: SiteRow, tag: TagRow, world: World) => ItemError | undefined) =>
	(context: Context) => {
		const { world } = context;
		const tag = tags.find(context);
		return (siteId: string) => {
			const site = world.store.sites.get(siteId);
			if (!site) return { code: 'not_found', message: 'Site was not found' };
			const before = site.internal.tag_ids;
			const error = change(site, tag, world);
			if (site.internal.tag_ids !== before) tag.updated_at = world.timestamp();
			return error;
		};
	};

export const tagRoutes = needing('tags', [
	tags.list('listTags', {
		filters: {
			name: { type: 'string', operators: ['eq', 'contains'], value: (tag) => tag.name },
			color: { type: 'string', operators: ['eq'], value: (tag) => tag.color },
			...timestampFilters('created_at', 'updated_at'),
			site_id: { type: 'string', operators: ['in'], value: sitesOf },
		},
		sort: fields('name', 'color', 'created_at', 'updated_at'),
		defaultSort: 'created_at,desc',
	}),
	tags.create(
		'createTag',
		object({ ...optionals(tagFields), name: notBlank }),
		({ world }, { name, color = null }) =>
			world.store.tags.insert({
				id: world.store.nextNumber('tag'),
				name,
				color,
				created_at: world.timestamp(),
				updated_at: world.timestamp(),
			}),
	),
	tags.show('showTag'),
	failing(
		[422],
		tags.delete('deleteTag', (tag, { world }) => {
			const { sites } = world.store;
			for (const { id, internal } of sites.peek()) {
				if (internal.tag_ids.includes(tag.id)) removeTag(sites.get(id)!, tag);
			}
			world.store.tags.delete(tag.id);
		}),
	),
	tags.update('updateTag', changesOf(tagFields), (tag, changes, { world }) => {
		Object.assign(tag, changes, { updated_at: world.timestamp() });
	}),
	bulk('assignTag', '/tags/{tag_id}/assign', 'site_ids', forEachSite(assignTag)),
	bulk('removeTag', '/tags/{tag_id}/remove', 'site_ids', forEachSite(removeTag)),
]);

function assignTag(site: SiteRow, tag: TagRow, world: World): ItemError | undefined {
	const { tag_ids: tagIds } = site.internal;
	if (tagIds.includes(tag.id)) return undefined;
	if (tagIds.length >= world.settings.tagsPerSite) {
		return { code: 'tag_limit_reached', message: 'Site has the maximum number of tags' };
	}
	site.internal.tag_ids = [...tagIds, tag.id];
	return undefined;
}

function removeTag(site: SiteRow, tag: TagRow): undefined {
	if (site.internal.tag_ids.includes(tag.id)) {
		site.internal.tag_ids = site.internal.tag_ids.filter((id) => id !== tag.id);
	}
}
