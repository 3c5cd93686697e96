import { unprocessable } from '../../engine/errors';
import type { Context } from '../../http/context';
import { type Route, resource } from '../../http/kit';
import { fields } from '../../http/paging';
import {
	arrayOf,
	boolean,
	emailAddress,
	limited,
	matching,
	nullable,
	object,
	oneOf,
	optional,
	string,
	timestamp,
} from '../../http/schema';
import { taskStartSchema } from '../../http/taskStart';
import { siteOf } from '../sites/rules';
import { begin, type Deed } from './deeds';
import { secondFactors, type UserRow, userRoles } from './rows';
import { changedState, stateOf } from './state';
import { Type } from '@sinclair/typebox';

/** The users of the CMS of one site. */

const role = oneOf(...userRoles);
const locale = oneOf('en_US', 'de_DE', 'es_ES', 'fr_FR');

const users = resource<UserRow>({
	name: 'user',
	plural: 'users',
	path: '/sites/{site_id}/wp/users',
	rows: (context) => stateOf(context.world, siteOf(context)).users,
	view: (user) => user,
	schema: object({
		...{ id: string, username: string, email: emailAddress, role, locale },
		two_fa_status: oneOf(...secondFactors),
		first_name: nullable(string),
		created_at: timestamp,
		password_changed_at: nullable(timestamp),
	}),
});

/** The user that a path names, to be changed. */
function userOf(context: Context): UserRow {
	changedState(context.world, siteOf(context));
	return users.find(context);
}

/** Has a task change a user, if it is still there then. */
const userDeed = (
	operationId: string,
	type: Deed['type'],
	change: (user: UserRow, role: UserRow['role'] | undefined, now: string) => void,
): Deed => ({
	operationId,
	type,
	apply(world, site, { user_id: id, role: given }) {
		const user = changedState(world, site).users.find((each) => each.id === id);
		if (user) change(user, given, world.timestamp());
	},
});

const changeRole = userDeed('changeSiteUserRole', 'wp_user_role_change', (user, given) => {
	user.role = given ?? user.role;
});
const changePassword = userDeed(
	...(['changeSiteUserPassword', 'wp_user_password_change'] as const),
	(user, _role, now) => void (user.password_changed_at = now),
);

const createUser = users.create(
	'createSiteUser',
	object({
		username: matching('^[\\w.@-]{1,60}$'),
		email: emailAddress,
		role,
		send_email: optional(limited(boolean, { default: true })),
		profile: optional(
			object({
				first_name: optional(nullable(string)),
				locale: optional(locale),
				links: optional(
					arrayOf(
						object({ label: string, url: Type.String({ format: 'uri', description: 'Full URL' }) }),
					),
				),
			}),
		),
	}),
	(context, { username, email, role: given, profile = {} }) => {
		const { world } = context;
		const all = changedState(world, siteOf(context)).users;
		if (all.some((each) => each.username === username))
			throw unprocessable('taken', 'user.username', 'is already a user of the site');
		const user: UserRow = {
			// Beyond those that every site has.
			id: String(100 + Number(world.store.nextNumber('wpUsers'))),
			...{ username, email, role: given, two_fa_status: 'not_applied' },
			first_name: profile.first_name ?? null,
			locale: profile.locale ?? 'en_US',
			created_at: world.timestamp(),
			password_changed_at: null,
		};
		all.push(user);
		return user;
	},
);

const deleteUser = users.delete('deleteSiteUser', (user, context) => {
	const state = changedState(context.world, siteOf(context));
	const { reassign_to: heir } = context.query;
	if (heir !== undefined && (heir === user.id || !state.users.some(({ id }) => id === heir)))
		throw unprocessable('not_found', 'reassign_to', 'is not a different user of the site');
	state.users = state.users.filter(({ id }) => id !== user.id);
});

const signIn: Route = {
	operationId: 'showSiteUserSignInLink',
	method: 'GET',
	path: '/sites/{site_id}/wp/users/{user_id}/sso-login-url',
	description: 'Returns a link that signs a person in to the site as this user.',
	status: 200,
	response: object({ url: string, expires_at: timestamp }),
	handle(context) {
		const { world } = context;
		const { id } = users.find(context);
		const url = `${siteOf(context).url}/wp-login.php?user_id=${id}&sso_token=${world.random.hex(32)}`;
		return { url, expires_at: world.timestamp(world.now + 300_000) };
	},
};

const word = fields('username', 'role', 'created_at');

const routes: Route[] = [
	users.list('listSiteUsers', {
		filters: {
			role: { type: userRoles, operators: ['eq', 'in'], value: (user) => user.role },
			username: { type: 'string', operators: ['contains'], value: (user) => user.username },
		},
		sort: word,
		defaultSort: 'username,asc',
	}),
	createUser,
	{
		...deleteUser,
		query: {
			reassign_to: limited(string, { description: 'ID of the user who gets the posts' }),
		},
		errors: [422],
	},
	users.action(
		'changeSiteUserRole',
		'role',
		({ id: userId }, context) =>
			begin(context.world, changeRole, [
				{ id: siteOf(context).id, user_id: userId, role: context.body.user.role },
			]),
		object({ user: object({ role }) }),
		taskStartSchema,
	),
	users.action(
		'changeSiteUserPassword',
		'password',
		// What is kept of a task never has the password.
		({ id: userId }, context) =>
			begin(context.world, changePassword, [{ id: siteOf(context).id, user_id: userId }]),
		object({
			user: object({ password: Type.String({ minLength: 12, format: 'password' }) }),
		}),
		taskStartSchema,
	),
	users.action('resetSiteUserSecondFactor', 'two-fa/reset', (_user, context) => {
		userOf(context).two_fa_status = 'not_applied';
	}),
	signIn,
];

export const userDeeds = [changeRole, changePassword];
export const userRoutes = routes.map((one): Route => ({ tag: 'Users', ...one }));
