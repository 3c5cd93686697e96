import { hashOf } from '../../engine/random';
import type { World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';
import { changeContent, changesOf } from './changes';
import { slugOf } from './componentFiles';
import { filesAt } from './files';
import { pluginFiles } from './names';
import { type Component, oddComponent, oddHead, titled } from './odd';

/** Sites lag behind differently; of each plugin there are the same versions. */
const versions = ['1.9.4', '1.10.0', '1.10.2', '2.0.1'];

/** The usual plugin that a file is the main file of. @param version that it came to, if it did */
function usualPlugin(siteId: string, file: string, version?: string) {
	const slug = slugOf(file);
	if (slug === undefined || !pluginFiles.has(slug)) return undefined;
	const first = versions[hashOf(siteId, slug) % versions.length]!;
	return { kind: 'plugin', file, name: titled(slug), version: version ?? first } as const;
}

/** What a file begins with, if it is one of a plugin or theme that has a header; nothing for any other. */
export function headOf(siteId: string, file: string, version?: string): string {
	const usual = usualPlugin(siteId, file, version);
	if (!usual) return oddHead(siteId, file, version);
	return `<?php\n/**\n * Plugin Name: ${usual.name}\n * Version: ${usual.version}\n */\n\n`;
}

/** The version that came with a main file at a time (milliseconds); undefined where it is there from the beginning. */
export function versionSince(world: World, siteId: string, file: string, at: number) {
	const slug = slugOf(file);
	if (slug === undefined) return undefined;
	return changesOf(world, siteId).plugins?.find(
		(change) => change.name === slug && Date.parse(change.at) === at,
	)?.version;
}

/** All plugins and themes that a site has at a time (milliseconds), with what their headers say. */
export function componentsAt(world: World, site: SiteRow, at: number): Component[] {
	return filesAt(world, site, at).flatMap(({ path, modifiedAt }) => {
		const version = versionSince(world, site.id, path, modifiedAt);
		return usualPlugin(site.id, path, version) ?? oddComponent(site.id, path, version) ?? [];
	});
}

/** The versions of those of them that can come to another one, by their slugs. */
export const versionsAt = (world: World, site: SiteRow, at: number): Map<string, string | null> =>
	new Map(
		componentsAt(world, site, at).flatMap(({ file, version }) => {
			const slug = slugOf(file);
			return slug === undefined ? [] : [[slug, version] as const];
		}),
	);

/** From now on a site has a plugin or theme in this version. */
export function setVersion(world: World, site: SiteRow, name: string, version: string): void {
	const content = changeContent(world, site.id);
	const at = world.timestamp();
	const others = (content.plugins ?? []).filter((each) => each.name !== name || each.at !== at);
	content.plugins = [...others, { name, version, at }];
}

/** The plugins and themes of a site that came to another version, and in which one each is now. */
export function changedVersions(world: World, site: SiteRow): Map<string, string | null> {
	const names = new Set(changesOf(world, site.id).plugins?.map(({ name }) => name));
	if (names.size === 0) return new Map();
	return new Map([...versionsAt(world, site, world.now)].filter(([name]) => names.has(name)));
}
