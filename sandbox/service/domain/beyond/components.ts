import { unprocessable } from '../../engine/errors';
import type { TaskType } from '../../engine/taskRows';
import type { World } from '../../engine/world';
import { type Route, route } from '../../http/kit';
import {
	arrayOf,
	boolean,
	limited,
	notBlank,
	nullable,
	object,
	oneOf,
	optional,
	string,
} from '../../http/schema';
import { taskStartSchema } from '../../http/taskStart';
import { listedComponent } from '../components/listed';
import { slugOf } from '../content/componentFiles';
import { setVersion } from '../content/components';
import { bringFlaw } from '../content/flaws';
import type { Component } from '../content/odd';
import type { SiteRow } from '../sites/rows';
import { requireSites } from '../sites/rules';
import { begin, type Deed, type Order } from './deeds';
import type { ComponentState } from './rows';
import { changedState, installed, stateOf } from './state';
import { type TProperties, type TSchema, Type } from '@sinclair/typebox';

/** Changes of plugins, themes and the core on several sites, each as a task. */

type Kind = 'plugin' | 'theme';

const some = <T extends TSchema>(one: T, description: string) =>
	limited(arrayOf(one), { minItems: 1, description });

/** @param properties of each site */
const orderBody = (properties: TProperties, more: TProperties = {}) =>
	object({ sites: some(object({ id: notBlank, ...properties }), 'Sites to change'), ...more });

const component = object({
	slug: notBlank,
	name: optional(string),
	version: optional(nullable(string)),
});

const overrideLock = {
	override_lock: optional(
		limited(boolean, { default: false, description: 'Also change what is locked' }),
	),
};

interface Body {
	sites: Array<Order & { id: string }>;
	override_lock?: boolean;
}

const listed = (world: World, site: SiteRow, one: Component) =>
	listedComponent(site, one, false, stateOf(world, site).components[one.file]);

/** Those that an order names. */
function named(world: World, site: SiteRow, order: Order, kind: Kind): Component[] {
	const wanted = order[`${kind}s`] ?? [];
	return installed(world, site, kind).filter((one) => {
		const { slug, update_available: isOutdated } = listed(world, site, one);
		return wanted === 'all' ? isOutdated : wanted.some((each) => each.slug === slug);
	});
}

/** Fails with 422 where a site or a component is not there, or is locked. */
function requireComponents(world: World, { sites, override_lock: overrides }: Body, kind: Kind) {
	for (const [index, order] of sites.entries()) {
		requireSites(world, [order.id], `sites.${index}.id`);
		const site = world.store.sites.get(order.id)!;
		const asked = order[`${kind}s`] ?? [];
		for (const [nth, { slug }] of asked === 'all' ? [] : asked.entries()) {
			const param = `sites.${index}.${kind}s.${nth}.slug`;
			const [found] = named(world, site, { [`${kind}s`]: [{ slug }] }, kind);
			if (!found) throw unprocessable('not_found', param, `is no ${kind} of the site`);
			if (overrides !== true && listed(world, site, found).locked)
				throw unprocessable('locked', param, 'is locked');
		}
	}
}

function set(world: World, site: SiteRow, components: Component[], state: ComponentState): void {
	const all = changedState(world, site).components;
	for (const { file } of components) all[file] = { ...all[file], ...state };
}

function change(
	kind: Kind,
	verb: string,
	type: TaskType,
	state: ComponentState,
	description: string,
): { deed: Deed; route: Route } {
	const operationId = `${verb}${kind === 'plugin' ? 'Plugins' : 'Themes'}`;
	const deed: Deed = {
		operationId,
		type,
		apply(world, site, order) {
			// A site has one theme at a time.
			if (kind === 'theme' && state.active)
				set(world, site, installed(world, site, kind), { active: false });
			set(world, site, named(world, site, order, kind), state);
		},
	};
	const list = some(component, `By slug, as the list of ${kind}s has it`);
	const isOfLock = state.locked !== undefined;
	return {
		deed,
		route: {
			...{ operationId, method: 'POST', path: `/sites/wp/${kind}s/${verb}`, status: 200 },
			...{ tag: kind === 'plugin' ? 'Plugins' : 'Themes', description, errors: [422] },
			body: orderBody({ [`${kind}s`]: list }, isOfLock ? {} : overrideLock),
			response: taskStartSchema,
			handle({ world, body }) {
				const asked = body as Body;
				requireComponents(world, isOfLock ? { ...asked, override_lock: true } : asked, kind);
				return begin(world, deed, asked.sites);
			},
		},
	};
}

const changes = [
	change('plugin', 'activate', 'wp_plugin_activate', { active: true }, 'Activates plugins.'),
	change(
		...(['plugin', 'deactivate', 'wp_plugin_deactivate', { active: false }] as const),
		'Deactivates plugins. Their files and settings stay.',
	),
	change('plugin', 'delete', 'wp_plugin_delete', { deleted: true }, 'Deletes plugins for good.'),
	change('plugin', 'lock', 'settingop', { locked: true }, 'Prevents changes of plugins.'),
	change('plugin', 'unlock', 'settingop', { locked: false }, 'Allows changes of plugins again.'),
	change(
		...(['theme', 'activate', 'wp_theme_activate', { active: true }] as const),
		'Activates a theme. The theme before it becomes inactive.',
	),
	change('theme', 'delete', 'wp_theme_delete', { deleted: true }, 'Deletes themes for good.'),
];

const coreLocks = (['lock', 'unlock'] as const).map((verb) => {
	const operationId = `${verb}Core`;
	const deed: Deed = {
		operationId,
		type: 'settingop',
		apply: (_world, site) => void (site.wp.core.locked = verb === 'lock'),
	};
	const description = `${verb === 'lock' ? 'Prevents' : 'Allows'} updates of the core.`;
	return {
		deed,
		route: route({
			...{ operationId, method: 'POST', path: `/sites/wp/wordpress-core/${verb}`, status: 200 },
			...{ tag: 'Core', description, errors: [422] },
			body: orderBody({}),
			response: taskStartSchema,
			handle({ world, body }) {
				requireComponents(world, body as Body, 'plugin');
				return begin(world, deed, (body as Body).sites);
			},
		}),
	};
});

/** Brings what an order names to its latest version. */
const update: Deed = {
	operationId: 'performUpdates',
	type: 'wp_site_update',
	apply(world, site, order) {
		for (const kind of ['plugin', 'theme'] as const) {
			for (const one of named(world, site, order, kind)) {
				const slug = slugOf(one.file);
				const { latest_version: version } = listed(world, site, one);
				if (slug === undefined || version === one.version) continue;
				setVersion(world, site, slug, version);
				bringFlaw(world, site, slug, version);
			}
		}
		const { core } = site.wp;
		if (!order.core) return;
		Object.assign(core, { current_version: core.latest_version, update_available: false });
	},
};

const selection = (kind: Kind) =>
	optional(
		Type.Unsafe({
			description: `\`all\` for every ${kind} with an update, or a list of them`,
			oneOf: [oneOf('all'), some(object({ slug: notBlank }), `Each ${kind} by its slug`)],
		}),
	);

const performUpdates = route({
	...{ operationId: update.operationId, method: 'POST', path: '/sites/wp/updates/perform' },
	...{ tag: 'Updates', description: 'Updates the core, plugins and themes of sites.' },
	body: orderBody(
		{ core: optional(boolean), plugins: selection('plugin'), themes: selection('theme') },
		overrideLock,
	),
	status: 200,
	errors: [422],
	response: taskStartSchema,
	handle({ world, body }) {
		const asked = body as Body;
		requireComponents(world, asked, 'plugin');
		requireComponents(world, asked, 'theme');
		return begin(world, update, asked.sites);
	},
});

const all = [...changes, ...coreLocks];

export const componentDeeds: Deed[] = [...all.map(({ deed }) => deed), update];
export const componentRoutes: Route[] = [...all.map((each) => each.route), performUpdates];
