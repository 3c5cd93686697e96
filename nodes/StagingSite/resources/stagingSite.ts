import { asRequired, inBody, inQuery } from '../../shared/describe/about';
import { fromGoodSnapshot, remove } from '../../shared/describe/changes';
import { additionalFields, idField, queryOptions } from '../../shared/describe/fields';
import { type Filters, lifeFilters, oneOf, timeFilters } from '../../shared/describe/filters';
import { kept, madeAs, outputOf } from '../../shared/describe/output';
import { act, get, getMany, resource } from '../../shared/describe/resource';
import { number, text } from '../../shared/input/kinds';
import { ofRecord, on, withSites } from '../../shared/operation';
import { form } from '../../shared/input/convert';
import { eventFields, includeDatabase, includeFiles } from '../../shared/resources/backupScope';
import { doneOutput } from '../../shared/resources/outputs';
import { phpVersion } from '../../shared/resources/siteRecords';
import { naming } from '../../shared/run/relatedNames';

const siteId = asRequired(idField('siteId', 'The live site to copy'));

const snapshotId = asRequired(idField('snapshotId', 'The completed snapshot to copy'));

const version = phpVersion('PHP version of the staging site');

const days = number('days', 'Days', {
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 7,
	required: true,
	description: 'How many more days to keep the staging site, within the limit of the account',
});

export const toDigits = form(/^\d+$/, 'must contain only digits');

const userId = text('wpObjectId', 'User ID', {
	placeholder: 'e.g. 3',
	description:
		'ID of the user to sign in as. If not set, the default admin user of the source site.',
	as: toDigits,
});

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
		...kept('id', 'site_id', 'site_title', 'site_url', 'status', 'url', 'php_version'),
		...kept('created_at', 'expires_at', 'user.name', 'user.email'),
	},
	['updated_at'],
	liveSite,
);

/** Part A, 2.16: the snapshot and the credentials are in single records only. */
const output = outputOf(
	{ ...listed.simplified, ...kept('snapshot.id', 'snapshot.created_at') },
	['credentials', 'credentials.http_auth', 'credentials.server', 'updated_at'],
	liveSite,
);

/** The staging site that a task has made or changed. */
const made = madeAs('staging_site_id', output);

const does = { usual: 'cares', getSsoLoginUrl: 'givesAccess' } as const;

const path = (verb: string) => ofRecord(`POST /staging-sites/{stagingSiteId}/${verb}`);

/** Part A, 4.14. */
export const stagingSite = resource('Staging Site', does, [
	getMany('Get many staging sites', withSites('GET /staging-sites'), {
		filters,
		sortBy: ['created_at', 'updated_at', 'expires_at', 'php_version'],
		output: listed,
	}),
	fromGoodSnapshot(
		act('Create staging site', on('POST /staging-sites', { sites: ['staging_site.site_id'] }), {
			fields: [
				...inBody('staging_site', [siteId, snapshotId, ...eventFields]),
				...additionalFields('staging_site', [version]),
			],
			kind: 'task',
			result: { output: made, from: 'staging' },
		}),
	),
	get('Get staging site', withSites('GET /staging-sites/{stagingSiteId}'), { output }),
	remove('Delete staging site', ofRecord('DELETE /staging-sites/{stagingSiteId}')),
	act('Extend expiry of staging site', path('extend-expiry'), {
		name: 'Extend Expiry',
		description: 'Keep a staging site for more days',
		fields: inBody(undefined, [days]),
		output,
		settles: true,
	}),
	act('Resume staging site', path('resume'), {
		description: 'Make a paused staging site active again',
		output,
		proves: { status: 'active' },
	}),
	act('Update PHP version of staging site', path('update-php-version'), {
		name: 'Update PHP Version',
		description: 'Start a task that changes the PHP version',
		fields: inBody('staging_site', [asRequired(version)]),
		kind: 'task',
		result: { output: made, from: 'GET /staging-sites/{stagingSiteId}' },
	}),
	act('Download staging site', path('download'), {
		description: 'Start a task that packages a staging site for download',
		fields: inBody('download', [includeFiles, includeDatabase]),
		kind: 'task',
		result: { output: doneOutput },
	}),
	get(
		'Get URL that signs in to staging site',
		ofRecord('GET /staging-sites/{stagingSiteId}/wp/users/sso-login-url'),
		{
			name: 'Get Sign-In URL',
			value: 'getSsoLoginUrl',
			description: 'Get a temporary URL that signs in to the admin area',
			sideEffect: 'anyone with the URL can sign in while it is valid',
			fields: queryOptions([inQuery('wp_object_id', userId)]),
			wrapper: '',
			needs: 'url',
			renamed: { url: 'sso_login_url' },
		},
	),
]);
