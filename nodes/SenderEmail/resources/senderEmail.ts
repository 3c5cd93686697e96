import { create, remove, update } from '../../shared/describe/changes';
import { contains, type Filters, lifeFilters, oneOf } from '../../shared/describe/filters';
import { act, get, getMany, resource } from '../../shared/describe/resource';
import { json, text, toggle } from '../../shared/input/kinds';
import { ofAccount, on } from '../../shared/operation';
import { emailOf } from '../../shared/resources/accountValues';

const email = emailOf(
	'Address that emails are sent from. The owner of the address must confirm it.',
);

const name = text('name', 'Name', {
	placeholder: 'e.g. Website Reports',
	description: 'Name that recipients see next to the address',
});

/** The reference does not name the field of the return-path hostname. */
const otherFields = json('additionalBodyFields', 'Additional Body Fields', {
	required: true,
	description:
		'Fields that this node does not offer, as a JSON object. They are added to the "sender_email" object of the request.',
	target: { type: 'merge', property: 'sender_email' },
});

const filters: Filters = {
	...contains('sender emails', 'email', '@example.com'),
	...contains('sender emails', 'name', 'Office'),
	...oneOf(
		'status',
		['verified', 'pending'],
		'Only confirmed addresses, or only addresses that are not confirmed yet',
	),
	'domain_dkim_verified:eq': toggle('dkimVerified', 'DKIM Verified', {
		description: 'Whether the DKIM record of the domain is verified',
	}),
	'domain_return_path_verified:eq': toggle('returnPathVerified', 'Return Path Verified', {
		description: 'Whether the return-path record of the domain is verified',
	}),
	...lifeFilters,
};

const path = (verb: string) => ofAccount(`POST /sender-emails/{senderEmailId}/${verb}`);

const does = {
	usual: 'cares',
	create: 'sendsMail',
	update: 'organises',
	resendVerification: 'sendsMail',
} as const;

/** Part A, 4.5. */
export const senderEmail = resource('Sender Email', does, [
	getMany('Get many sender emails', on('GET /sender-emails', 'noSite'), {
		filters,
		sortBy: ['created_at', 'updated_at', 'email', 'name', 'status'],
	}),
	create('Create sender email', ofAccount('POST /sender-emails'), {
		sideEffect: 'the address gets an email and is pending until its owner confirms it',
		required: [email, name],
	}),
	get('Get sender email', on('GET /sender-emails/{senderEmailId}', 'noSite')),
	update('Update sender email', path('update'), { fields: [name, otherFields] }),
	remove('Delete sender email', ofAccount('DELETE /sender-emails/{senderEmailId}'), {
		irreversible: 'a new one for the same address has to be verified again',
	}),
	act('Refresh sender email', path('refresh'), {
		description: 'Check ownership and DNS records again, and return the updated sender email',
	}),
	act('Resend verification of sender email', path('resend-verification'), {
		name: 'Resend Verification',
		description: 'Send the verification email again to a pending sender email',
		settles: true,
	}),
	act('Rotate DKIM record of sender email', path('rotate-dkim'), {
		name: 'Rotate DKIM',
		description: 'Get a new DKIM record for a sender email',
		irreversible: 'the current DKIM record becomes invalid, and the new one must be published',
		proves: { 'domain.dkim.verified': false },
		// The new record is in the answer alone.
		settles: false,
	}),
	act('Verify DKIM record of sender email', path('verify-dkim'), {
		name: 'Verify DKIM',
		description: 'Check the published DKIM record of a verified sender email',
	}),
	act('Verify return path of sender email', path('verify-return-path'), {
		name: 'Verify Return Path',
		description: 'Check the published return-path CNAME record of a verified sender email',
	}),
]);
