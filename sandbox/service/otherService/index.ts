import { readFileSync } from 'node:fs';
import type { Faults } from '../http/faults';
import type { Route } from '../http/kit';
import type { OtherService } from '../http/options';
import { type Answers, answerLike } from './answers';
import { type Brands, publishedBrands, wordingOf } from './brands';
import { bodyHeard, sayIn, urlHeard } from './words';

/**
 * Another service than that of the reference: what `npm run check -- live --out` writes, or a file of the same form.
 * Every part can be missing; other properties are ignored.
 */
export interface Profile extends Answers {
	/** Its words in the place of the stand-in words; those of the nodes where it has none. */
	words?: Brands;
	/** Forms of responses that change nothing of what they say, as the fault of that name has them. */
	harmless?: Faults['harmless'];
	/** What `X-RateLimit-Reset` is: the seconds that are left, or the time in seconds since 1970. */
	rateLimitReset?: 'seconds' | 'epoch';
}

const parts: Array<keyof Profile> = ['routes', 'errors', 'words', 'harmless', 'rateLimitReset'];

/** @throws RangeError */
export function readProfile(file: string): Profile {
	let profile: unknown;
	try {
		profile = JSON.parse(readFileSync(file, 'utf8'));
	} catch (error) {
		throw new RangeError(`${file} cannot be read: ${(error as Error).message}`);
	}
	if (parts.some((part) => (profile as Profile | null)?.[part])) return profile as Profile;
	throw new RangeError(`${file} is not a profile: it has none of ${parts.join(', ')}`);
}

/** Whether the service has an operation beyond the reference: its profile names it. */
export const isIn =
	(profile?: Profile) =>
	({ method, path }: Route): boolean =>
		`${method} ${path}` in (profile?.routes ?? {});

/** What of a profile can be switched while the service runs. */
export const switchesOf = ({ harmless, rateLimitReset }: Profile): Faults => ({
	...(harmless && { harmless }),
	...(rateLimitReset === 'epoch' && { odd_rate_headers: { kind: 'epoch' } }),
});

/** @param speed how many times as fast as the other service; 0 for at once */
export function otherService(profile: Profile | undefined, speed: number): OtherService {
	const hasWords = Object.keys(profile?.words ?? {}).length > 0;
	const wording = wordingOf(hasWords ? profile!.words! : publishedBrands);
	return {
		urlOf: (request) => urlHeard(request, wording),
		bodyOf: (request, text) => bodyHeard(request, text, wording),
		speak(api) {
			if (profile?.routes || profile?.errors) answerLike(api, profile, speed);
			if (wording) sayIn(wording, api);
		},
	};
}
