/** Words for facts that the access recipe cannot know and the user has to fill in. */
import type { AccessFacts, AccessPlace } from "./access-recipe.ts";
import { SIGN_IN_STEPS } from "./sign-in.ts";

/** Sentences. `asked`: targets that were asked, which shows whether reading needs an account. */
export function accessGaps({ kind, location, places }: AccessFacts, asked: number): readonly string[] {
  const needs = new Set(places.map(({ need }) => need));
  const isRemote = places.some(({ scheme }) => scheme !== "" && scheme !== "file");
  const gaps: string[] = [];
  if (places.length === 0) return ["No reference points outside the set, so that no target has to be reached."];
  if (isRemote && asked === 0)
    gaps.push("No target was asked yet. Whether reading needs an account is not known: the lines try without one.");
  if (kind === "fsspec" && places.some(({ scheme }) => scheme === ""))
    gaps.push("Some targets are paths without a scheme. fsspec takes them from the folder where Python runs.");
  if (needs.has("account"))
    gaps.push(
      "A target refused without an account. The lines take one from the environment, where such tools look for it.",
    );
  if (needs.has("requester-pays")) gaps.push("The bucket lets whoever reads pay: the lines say that you do.");
  for (const signIn of new Set(places.map((place) => place.signIn)))
    if (signIn !== undefined) gaps.push(SIGN_IN_STEPS[signIn]);
  if (needs.has("token")) gaps.push("A server asked for a token. Put yours in place of TOKEN; none is kept here.");
  if (places.some(isAzure))
    gaps.push("Put the name of the storage account in place of ACCOUNT: the references do not have it.");
  if (kind === "icechunk" && places.some((place) => isS3(place) && place.region === undefined))
    gaps.push("The region of a bucket is not known. Icechunk may want it as region=… in s3_store.");
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(location)) gaps.push(`Put the path of your file in place of ${location}.`);
  return gaps;
}

const isAzure = ({ scheme, store }: AccessPlace): boolean => store === "azure" || /^(?:az|abfss?)$/.test(scheme);

const isS3 = ({ scheme, store }: AccessPlace): boolean => store === "s3" || /^s3a?$/.test(scheme);
