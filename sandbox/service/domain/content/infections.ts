import { day, minute } from '../../engine/clock';
import type { Handler, World } from '../../engine/world';
import type { SiteRow } from '../sites/rows';
import { changeContent, changesOf } from './changes';
import { filesAt } from './files';
import { isInDatabase, writtenAt } from './malware';
import type { Infection } from './rows';

/** Malware that comes to sites, and what the scanner finds of it. */

type Wanted = Partial<Pick<Infection, 'in_database' | 'returns_after' | 'seen_after'>> & {
	changes?: number;
	adds?: 'uploads' | 'mu-plugins' | 'nothing';
};

/** Malware comes to a site, by somebody who signed in and activated something. */
export function infect(world: World, site: SiteRow, wanted: Wanted): Infection {
	const { changes = 2, adds = 'uploads', returns_after: returnsAfter = null } = wanted;
	const { random, now } = world;
	const files = filesAt(world, site, now).map(({ path }) => path);
	// Files of the core would be found by their checksums.
	const code = files.filter((path) => /^\.\/wp-content\/(plugins|themes)\/.*\.php$/.test(path));
	const name = `${random.hex(6)}.php`;
	const added = {
		uploads: [`./wp-content/uploads/${world.timestamp().slice(0, 7).replace('-', '/')}/${name}`],
		'mu-plugins': [`./wp-content/mu-plugins/${name}`],
		nothing: [],
	}[adds];
	const infection: Infection = {
		...{ at: world.timestamp(), changed: random.sample(code, changes), added },
		in_database: wanted.in_database === true || returnsAfter !== null,
		returns_after: returnsAfter,
		seen_after: wanted.seen_after === undefined ? 0 : wanted.seen_after,
	};
	const content = changeContent(world, site.id);
	content.infections = [...(content.infections ?? []), infection];
	for (const [index, event] of (['login', 'activated'] as const).entries()) {
		world.store.activityLogs.insert({
			...{ id: random.hex(24), site_id: site.id, username: 'support2' },
			...{ ip_address: '198.51.100.23', country_code: 'NL', event_type: event },
			object_type: event === 'login' ? 'user' : 'plugin',
			event_details: event === 'login' ? {} : { name: 'File Manager' },
			timestamp: world.timestamp(now - (5 - index) * minute),
		});
	}
	const { seen_after: seenAfter } = infection;
	if (seenAfter !== null) world.after(seenAfter * minute, 'malware.seen', { site_id: site.id });
	return infection;
}

/** What is there of each infection at a time (milliseconds). */
export function malwareAt(world: World, site: SiteRow, at: number) {
	const { infections = [], restores } = changesOf(world, site.id);
	if (infections.length === 0) return [];
	const past = restores.filter((restore) => Date.parse(restore.at) <= at);
	const modified = new Map(filesAt(world, site, at).map((file) => [file.path, file.modifiedAt]));
	return infections
		.filter((infection) => Date.parse(infection.at) <= at)
		.map((infection) => ({
			infection,
			files: [...infection.changed, ...infection.added].filter((path) =>
				writtenAt(infection, path, past).includes(modified.get(path)!),
			),
			in_database: infection.in_database && isInDatabase(infection, past, at),
		}));
}

/** What the scanner knows of it, which is what it looks for by now. */
export const seenAt = (world: World, site: SiteRow, at: number) =>
	malwareAt(world, site, at).filter(
		({ infection: { at: came, seen_after: after } }) =>
			after !== null && world.now >= Date.parse(came) + after * minute,
	);

/** What a scan finds of the content of a time (milliseconds); nothing where no malware ever came. */
export function scan(world: World, site: SiteRow, at: number) {
	if (!changesOf(world, site.id).infections) return undefined;
	const seen = seenAt(world, site, at);
	const inDatabase = seen.filter((each) => each.in_database);
	const crons = inDatabase.filter(({ infection }) => infection.returns_after !== null).length;
	const detections = {
		files: seen.flatMap(({ files }) => files).length,
		scripts: inDatabase.length - crons,
		cron_jobs: crons,
	};
	const isHacked = Object.values(detections).some((count) => count > 0);
	return { status: isHacked ? ('hacked' as const) : ('clean' as const), detections };
}

/** Scans a site as it is now. */
export function scanNow(world: World, site: SiteRow): void {
	const found = scan(world, site, world.now);
	if (!found) return;
	const { scanner } = site.security;
	const detectedAt = scanner.malware_detected_at ?? world.timestamp();
	Object.assign(scanner, found, {
		malware_detected_at: found.status === 'hacked' ? detectedAt : null,
		last_check_at: world.timestamp(),
	});
}

export const infectionHandlers: Record<string, Handler> = {
	'malware.seen': (world, { site_id: id }) => {
		const site = world.store.sites.get(String(id));
		if (site) scanNow(world, site);
	},
};

/** A person deletes files that malware added; others are left alone. */
export function deleteFiles(world: World, site: SiteRow, paths: string[]) {
	const { infections = [], restores } = changeContent(world, site.id);
	const deleted = paths.filter((path) => infections.some(({ added }) => added.includes(path)));
	const first = Math.min(world.now, ...infections.map(({ at }) => Date.parse(at)));
	restores.push({
		...{ at: world.timestamp(), from: world.timestamp(first - day), files: true, paths: deleted },
		...{ database: false, tables: null },
	});
	return { deleted };
}
