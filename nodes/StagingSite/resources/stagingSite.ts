import type { Field, Filters } from '../../shared/describe';
import {
	act,
	additionalFields,
	at,
	fromGoodSnapshot,
	get,
	getMany,
	idField,
	inBody,
	kept,
	lifeFilters,
	madeAs,
	ofRecord,
	on,
	oneOf,
	operation,
	outputOf,
	queryOptions,
	remove,
	resource,
	timeFilters,
	verb,
	withSideEffect,
	withSites,
} from '../../shared/describe';
import { form } from '../../shared/input/convert';
import { toPhpVersion } from '../../shared/input/forms';
import { eventFields, includeDatabase, includeFiles } from '../../shared/resources/backupScope';
import { doneOutput } from '../../shared/resources/outputs';
import { naming } from '../../shared/run/relatedNames';

const siteId: Field = { ...idField('siteId', 'The live site to copy'), required: true };

const snapshotId: Field = {
	...idField('snapshotId', 'The completed snapshot to copy'),
	required: true,
};

const phpVersion: Field = {
	displayName: 'PHP Version',
	name: 'phpVersion',
	type: 'string',
	default: '',
	required: true,
	placeholder: 'e.g. 8.2',
	as: toPhpVersion,
	description: 'PHP version of the staging site',
};

const days: Field = {
	displayName: 'Days',
	name: 'days',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 7,
	required: true,
	description: 'How many more days to keep the staging site, within the limit of the account',
};

export const toDigits = form(/^\d+$/, 'must contain only digits');

const userId: Field = {
	displayName: 'User ID',
	name: 'wpObjectId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 3',
	description:
		'ID of the user to sign in as. If not set, the default admin user of the source site.',
	as: toDigits,
};

const filters: Filters = {
	...oneOf(
		'status',
		['active', 'initializing', 'paused', 'suspended'],
		'Only staging sites in this state',
	),
	'site_id:eq': idField('siteId', 'Only staging sites of this live site'),
	...lifeFilters,
	...timeFilters('expires_at', 'Expires'),
};

/** A staging site has only the ID of its live site. */
const liveSite = naming(
	'site',
	['site_title', 'site_url'],
	({ site_id: id }) => [id],
	(record, named) => {
		const { title, url } = named(record.site_id) ?? {};
		return title === undefined ? record : { ...record, site_title: title, site_url: url };
	},
);

export const listed = outputOf(
	{
		...kept(
			'id',
			'site_id',
			'site_title',
			'site_url',
			'status',
			'url',
			'php_version',
			'created_at',
			'expires_at',
		),
		user_name: 'user.name',
		user_email: 'user.email',
	},
	['updated_at'],
	liveSite,
);

/** Part A, 2.16: the snapshot and the credentials are in single records only. */
const output = outputOf(
	{
		...listed.simplified,
		snapshot_id: 'snapshot.id',
		snapshot_created_at: 'snapshot.created_at',
	},
	['credentials', 'credentials.http_auth', 'credentials.server', 'updated_at'],
	liveSite,
);

/** The staging site that a task has made or changed. */
const made = madeAs('staging_site_id', output);

const does = { usual: 'cares', getSsoLoginUrl: 'givesAccess' } as const;

/** Part A, 4.14. */
export const stagingSite = resource('Staging Site', 'stagingSite', does, [
	getMany('Get many staging sites', withSites('GET /staging-sites'), {
		filters,
		sortBy: ['created_at', 'updated_at', 'expires_at', 'php_version'],
		output: listed,
	}),
	fromGoodSnapshot(
		operation(
			verb('Create staging site'),
			on('POST /staging-sites', { sites: ['staging_site.site_id'] }),
			[
				inBody('staging_site', siteId),
				inBody('staging_site', snapshotId),
				...eventFields('staging_site'),
				...additionalFields('staging_site', [{ ...phpVersion, required: false }]),
			],
			{ kind: 'task', result: { output: made, from: 'staging' } },
		),
	),
	get('Get staging site', withSites('GET /staging-sites/{stagingSiteId}'), { output }),
	remove('Delete staging site', ofRecord('DELETE /staging-sites/{stagingSiteId}')),
	operation(
		{
			name: 'Extend Expiry',
			value: 'extendExpiry',
			action: 'Extend expiry of staging site',
			description: 'Keep a staging site for more days',
		},
		ofRecord('POST /staging-sites/{stagingSiteId}/extend-expiry'),
		[inBody(undefined, days)],
		{ output, settles: true },
	),
	act('Resume staging site', ofRecord('POST /staging-sites/{stagingSiteId}/resume'), {
		description: 'Make a paused staging site active again',
		output,
		proves: { status: 'active' },
		settles: true,
	}),
	operation(
		{
			name: 'Update PHP Version',
			value: 'updatePhpVersion',
			action: 'Update PHP version of staging site',
			description: 'Start a task that changes the PHP version',
		},
		ofRecord('POST /staging-sites/{stagingSiteId}/update-php-version'),
		[inBody('staging_site', phpVersion)],
		{ kind: 'task', result: { output: made, from: 'GET /staging-sites/{stagingSiteId}' } },
	),
	operation(
		verb('Download staging site', 'Start a task that packages a staging site for download'),
		ofRecord('POST /staging-sites/{stagingSiteId}/download'),
		[at('scope.include_files', includeFiles), at('scope.include_database', includeDatabase)].map(
			(field) => inBody('download', field),
		),
		{ kind: 'task', result: { output: doneOutput } },
	),
	withSideEffect(
		'anyone with the URL can sign in to the staging site while the URL is valid',
		operation(
			{
				name: 'Get Sign-In URL',
				value: 'getSsoLoginUrl',
				action: 'Get URL that signs in to staging site',
				description: 'Get a temporary URL that signs in to the admin area',
			},
			ofRecord('GET /staging-sites/{stagingSiteId}/wp/users/sso-login-url'),
			[...queryOptions({ wp_object_id: userId })],
			{ wrapper: '', needs: 'url', renamed: { url: 'sso_login_url' } },
		),
	),
]);
