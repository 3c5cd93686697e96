import { unprocessable } from '../../engine/errors';
import { hashOf } from '../../engine/random';
import type { World } from '../../engine/world';
import { resource, type Route, route } from '../../http/kit';
import {
	arrayOf,
	boolean,
	integer,
	limited,
	notBlank,
	nullable,
	object,
	oneOf,
	optional,
	partial,
	string,
	timestamp,
} from '../../http/schema';
import type { SiteRow } from '../sites/rows';
import { siteOf } from '../sites/rules';
import type { IpList } from './rows';
import { changedState, stateOf } from './state';
import { type TProperties, Type } from '@sinclair/typebox';

/** What the scanner has found on a site, its firewall, and who has tried to sign in. */

const base = '/sites/{site_id}/security';

/** By kind: what a detection has besides its date, and how many a site has. */
const kinds = {
	files: (nth: number) => ({ path: `./wp-content/uploads/2025/cache-${nth}.php` }),
	scripts: (nth: number) => ({ url: `https://cdn-${nth}.example.net/track.js` }),
	plugins: (nth: number) => ({ slug: `nulled-forms-${nth}`, name: 'Nulled Forms' }),
	cron_jobs: (nth: number) => ({ hook: `wp_refresh_${nth}`, schedule: 'hourly' }),
	redirections: (nth: number) => ({ source: `/shop-${nth}`, target: 'https://pills.example.net' }),
};

type Kind = keyof typeof kinds;

const kindNames = Object.keys(kinds) as Kind[];

function countOf({ security }: SiteRow, kind: Kind): number {
	const { files, scripts, cron_jobs: cronJobs } = security.scanner.detections;
	const counts = { files, scripts, cron_jobs: cronJobs };
	return { ...counts, plugins: files > 10 ? 1 : 0, redirections: scripts }[kind];
}

function detectionsOf(world: World, site: SiteRow, kind: Kind) {
	const { safe } = stateOf(world, site);
	return Array.from({ length: countOf(site, kind) }, (_, nth) => {
		const id = String(hashOf(site.id, kind, nth));
		const { malware_detected_at: at } = site.security.scanner;
		return {
			...{ id, detected_at: at ?? site.created_at, marked_safe: safe.includes(id) },
			...kinds[kind](nth + 1),
		};
	});
}

const summaryOf = (world: World, site: SiteRow) => ({
	detections: Object.fromEntries(
		kindNames.map((kind) => {
			const all = detectionsOf(world, site, kind);
			const safe = all.filter(({ marked_safe: isSafe }) => isSafe);
			return [kind, { total: all.length, marked_safe: safe.length }];
		}),
	),
});

const forEachKind = (schemaOf: (kind: Kind) => TProperties[string]) =>
	object(Object.fromEntries(kindNames.map((kind) => [kind, schemaOf(kind)])));

const summarySchema = object({
	detections: forEachKind(() => object({ total: integer, marked_safe: integer })),
});

const detectionSummary: Route = {
	operationId: 'showSiteDetectionSummary',
	method: 'GET',
	path: `${base}/scanner/detections/summary`,
	status: 200,
	response: summarySchema,
	handle: (context) => summaryOf(context.world, siteOf(context)),
};

const detectionLists = kindNames.map((kind) => {
	const own = Object.keys(kinds[kind](0)).map((name) => [name, string]);
	const fields = { id: string, detected_at: timestamp, marked_safe: boolean };
	return resource({
		name: 'detection',
		plural: kind,
		path: `${base}/scanner/detections/${kind.replace('_', '-')}`,
		rows: (context) => detectionsOf(context.world, siteOf(context), kind),
		view: (row) => row,
		schema: object({ ...fields, ...(Object.fromEntries(own) as TProperties) }),
	}).list(`listSiteDetected${kind.replace(/(^|_)./g, (start) => start.slice(-1).toUpperCase())}`, {
		filters: {
			marked_safe: { type: 'boolean', operators: ['eq'], value: (row) => row.marked_safe },
		},
	});
});

const marks = (['safe', 'unsafe'] as const).map((mark) =>
	route({
		operationId: `markSiteDetections${mark === 'safe' ? 'Safe' : 'Unsafe'}`,
		method: 'POST',
		path: `${base}/scanner/detections/mark-${mark}`,
		description: `Marks detections of malware as ${mark}. Returns the new summary.`,
		body: object({
			detections: limited(arrayOf(object({ kind: oneOf(...kindNames), id: notBlank })), {
				minItems: 1,
			}),
			note: optional(nullable(string)),
		}),
		status: 200,
		errors: [422],
		response: summarySchema,
		handle(context) {
			const { world, body } = context;
			const site = siteOf(context);
			for (const [index, { kind, id }] of body.detections.entries()) {
				if (!detectionsOf(world, site, kind).some((each) => each.id === id))
					throw unprocessable(
						'not_found',
						`detections.${index}.id`,
						`is not a detection of this kind`,
					);
			}
			const ids = body.detections.map(({ id }) => id);
			const state = changedState(world, site);
			const others = state.safe.filter((id) => !ids.includes(id));
			state.safe = mark === 'safe' ? [...others, ...ids] : others;
			return summaryOf(world, site);
		},
	}),
);

const switches = (['enable', 'disable'] as const).map((verb): Route => ({
	operationId: `${verb}SiteFirewall`,
	method: 'POST',
	path: `${base}/firewall/${verb}`,
	status: 200,
	response: object({ firewall: object({ enabled: boolean }) }),
	handle(context) {
		const { firewall } = siteOf(context).security;
		firewall.enabled = verb === 'enable';
		return { firewall: { enabled: firewall.enabled } };
	},
}));

const ip = Type.String({ format: 'ipv4' });
const ipList = {
	mode: limited(oneOf('allow', 'block'), { description: 'What happens to these addresses' }),
	entries: arrayOf(
		Type.Unsafe<IpList['entries'][number]>({
			oneOf: [
				object({ type: Type.Literal('single'), ip }),
				object({ type: Type.Literal('range'), from: ip, to: ip }),
			],
		}),
	),
};
const moment = Type.String({ format: 'date-time' });
const ipListPath = `${base}/firewall/ip-list`;
const ipListAnswer = object({
	ip_list: object({ ...ipList, note: nullable(string), expires_at: nullable(moment) }),
});

const showIpList: Route = {
	operationId: 'showSiteIpList',
	method: 'GET',
	path: ipListPath,
	status: 200,
	response: ipListAnswer,
	handle: (context) => ({ ip_list: stateOf(context.world, siteOf(context)).ip_list }),
};

const replaceIpList = route({
	operationId: 'replaceSiteIpList',
	method: 'PUT',
	path: ipListPath,
	description: 'Replaces the addresses that the firewall of a site always allows or blocks.',
	body: object({
		ip_list: object({
			...ipList,
			note: optional(nullable(string)),
			expires_at: optional(nullable(moment)),
		}),
	}),
	status: 200,
	response: ipListAnswer,
	handle(context) {
		const state = changedState(context.world, siteOf(context));
		state.ip_list = { note: null, expires_at: null, ...context.body.ip_list };
		return { ip_list: state.ip_list };
	},
});

const results = ['succeeded', 'failed', 'blocked'] as const;

/** One attempt each 37 minutes, the newest of today first. */
const attemptsOf = (world: World, site: SiteRow) =>
	Array.from({ length: 120 }, (_, nth) => ({
		id: `${site.id.slice(0, 8)}-${nth + 1}`,
		username: ['admin', 'root', 'test'][hashOf(site.id, nth) % 3]!,
		ip_address: `203.0.113.${hashOf(nth, site.id) % 255}`,
		result: results[hashOf(site.id, 'login', nth) % results.length]!,
		attempted_at: world.timestamp(Date.parse(world.timestamp().slice(0, 10)) - nth * 2_220_000),
	}));

const attempts = resource({
	name: 'login_attempt',
	plural: 'login_attempts',
	path: `${base}/login-attempts`,
	rows(context) {
		const query = context.query as { results?: string[]; attempted?: Record<string, string> };
		const { from, to } = query.attempted ?? {};
		const first = from === undefined ? 0 : Date.parse(from);
		const last = to === undefined ? Infinity : Date.parse(to);
		return attemptsOf(context.world, siteOf(context)).filter(({ result, attempted_at: at }) => {
			const isWanted = query.results?.includes(result) ?? true;
			return isWanted && Date.parse(at) >= first && Date.parse(at) <= last;
		});
	},
	view: (row) => row,
	schema: object({
		...{ id: string, username: string, ip_address: ip, result: oneOf(...results) },
		attempted_at: timestamp,
	}),
});

const loginAttempts = attempts.list('listSiteLoginAttempts', {
	filters: {},
	parameters: {
		results: arrayOf(oneOf(...results)),
		attempted: limited(partial({ from: moment, to: moment }), {
			description: 'First and last time',
		}),
	},
});

const tagged = (tag: string, routes: Route[]) => routes.map((one): Route => ({ tag, ...one }));

export const securityRoutes: Route[] = [
	...tagged('Detections', [detectionSummary, ...detectionLists, ...marks]),
	...tagged('Firewall', [...switches, showIpList, replaceIpList]),
	...tagged('Login attempts', [loginAttempts]),
];
