import type { Static, TSchema } from '@sinclair/typebox';
import { unprocessable } from '../../engine/errors';
import { beginExclusive, requireIdle } from '../../engine/exclusive';
import type { World } from '../../engine/world';
import type { Context } from '../../http/context';
import type { Route } from '../../http/kit';
import {
	nullable,
	oneOf,
	type Schema,
	string,
	object,
	optional,
	changesOf,
	limited,
} from '../../http/schema';
import type { PlanFeature } from '../account/rows';
import { requireFeature } from '../account/rules';
import { onlyId, type PluginBranding, pluginBrandingTypes, wpLoginTypes } from './rows';

/** One of the two brandings of the account (Part A 4.6). */
interface Branding<F extends TSchema> {
	/** Name of its wrapper object and of the plan feature that it needs. */
	name: PlanFeature;
	/** Its operations are `show`, `update` and `reset` followed by this. */
	title: string;
	path: string;
	/** Fields that an update takes, and what it returns. */
	fields: F;
	schema: Schema;
	view(world: World): object;
	update(world: World, fields: Static<F>): void;
	reset(world: World): void;
}

/** Updates and resets exclude each other, over both brandings. */
function routesOf<F extends TSchema>({
	name,
	title,
	path,
	fields,
	schema,
	view,
	update,
	reset,
}: Branding<F>): Route[] {
	const response = object({ [name]: schema });
	const show = ({ world }: Context) => ({ [name]: view(world) });
	const change = (apply: (context: Context) => void) => (context: Context) => {
		const { world } = context;
		const what = 'Another setting update';
		requireFeature(world, name, name);
		requireIdle(world, 'account_settings', what);
		apply(context);
		beginExclusive(world, 'account_settings', world.settings.settingUpdateMs, what);
		return show(context);
	};
	return [
		{ operationId: `show${title}`, method: 'GET', path, status: 200, response, handle: show },
		{
			operationId: `update${title}`,
			method: 'POST',
			path: `${path}/update`,
			body: object({ [name]: fields }),
			status: 200,
			errors: [409, 422],
			response,
			handle: change(({ world, body }) =>
				update(world, (body as Record<string, Static<F>>)[name]!),
			),
		},
		{
			operationId: `reset${title}`,
			method: 'POST',
			path: `${path}/reset`,
			status: 200,
			errors: [409, 422],
			response,
			handle: change(({ world }) => reset(world)),
		},
	];
}

const nullableText = nullable(string);

/** The account's default display details of the plugin (Part A 2.5; the details: not shown). */
const defaultDetails = {
	name: 'Site Manager',
	description: 'Backups, updates and security of this site.',
	author: { name: 'Site Management Service', url: 'https://service.example.com' },
};

const pluginBranding = {
	of: (world: World): PluginBranding =>
		world.store.pluginBrandings.get(onlyId) ?? { type: 'default', ...defaultDetails },
	set: (world: World, branding: PluginBranding) =>
		void world.store.pluginBrandings.insert({ id: onlyId, ...branding }),
};

const pluginBrandingRoutes = routesOf({
	name: 'plugin_branding',
	title: 'PluginBranding',
	path: '/whitelabel/plugin-branding',
	fields: object({
		type: oneOf(...pluginBrandingTypes),
		name: optional(nullableText),
		description: optional(nullableText),
		author: optional(object({ name: optional(nullableText), url: optional(nullableText) })),
	}),
	schema: object({
		type: oneOf(...pluginBrandingTypes),
		name: nullableText,
		description: nullableText,
		author: object({ name: nullableText, url: nullableText }),
	}),
	view(world) {
		const { type, name, description, author } = pluginBranding.of(world);
		return { type, name, description, author };
	},
	update(world, { type, name, description, author }) {
		const now = pluginBranding.of(world);
		const details = {
			default: defaultDetails,
			custom: {
				name: choose(name, now.name, defaultDetails.name),
				description: choose(description, now.description, defaultDetails.description),
				author: {
					name: choose(author?.name, now.author.name, defaultDetails.author.name),
					url: choose(author?.url, now.author.url, defaultDetails.author.url),
				},
			},
			hidden: { name: null, description: null, author: { name: null, url: null } },
		};
		const kind = type as PluginBranding['type'];
		pluginBranding.set(world, { type: kind, ...details[kind] });
	},
	reset: (world) => world.store.pluginBrandings.delete(onlyId),
});

/** A field of custom details: as sent, unchanged when it is not, the default one for null. */
function choose(sent: string | null | undefined, now: string | null, otherwise: string): string {
	return (sent === undefined ? now : sent) ?? otherwise;
}

const wpLoginFields = {
	logo_file: nullableText,
	label: nullableText,
	error_message: nullableText,
	tooltip: nullableText,
};
const noWpLogin = {
	logo_file: null,
	label: null,
	error_message: null,
	tooltip: null,
	internal: { sender_email_id: null },
};

const wpLoginRoutes = routesOf({
	name: 'wp_login',
	title: 'WpLogin',
	path: '/whitelabel/wp-login',
	fields: changesOf({
		...wpLoginFields,
		logo_file: limited(nullableText, {
			pattern: '^data:image/[a-z0-9.+-]+;base64,[A-Za-z0-9+/]+={0,2}$',
		}),
		sender_email: nullable(object({ id: string })),
	}),
	schema: object({
		type: oneOf(...wpLoginTypes),
		...wpLoginFields,
		sender_email: nullable(object({ id: string, email: string })),
	}),
	view(world) {
		const { logo_file, label, error_message, tooltip, internal } = wpLoginOf(world);
		const sender = world.store.senderEmails.get(internal.sender_email_id ?? '');
		const details = {
			logo_file,
			label,
			error_message,
			tooltip,
			sender_email: sender ? { id: sender.id, email: sender.email } : null,
		};
		const isCustom = Object.values(details).some((value) => value !== null);
		return { type: isCustom ? 'custom' : 'default', ...details };
	},
	update(world, { sender_email: sender, ...changes }) {
		if (sender && !world.store.senderEmails.get(sender.id)) {
			const message = 'is not a sender email of the account';
			throw unprocessable('not_found', 'wp_login.sender_email.id', message);
		}
		const now = wpLoginOf(world);
		const senderId = sender === undefined ? now.internal.sender_email_id : (sender?.id ?? null);
		world.store.wpLogins.insert({
			...now,
			...changes,
			id: onlyId,
			internal: { sender_email_id: senderId },
		});
	},
	reset: (world) => world.store.wpLogins.delete(onlyId),
});

const wpLoginOf = (world: World) => world.store.wpLogins.get(onlyId) ?? noWpLogin;

export const brandingRoutes = [...pluginBrandingRoutes, ...wpLoginRoutes];
