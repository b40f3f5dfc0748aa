/** A small picture of a variable, in a box that has its size before there is one. */
import { useEffect, useRef } from "react";
import { useAppState } from "../../store/react.tsx";
import { keepThumbnail } from "../../widgets/values/thumbnails.ts";
import { formatCount } from "../../widgets/number-format.ts";
import { Button } from "../../widgets/controls/Button.tsx";
import { Icon } from "../../widgets/Icon.tsx";
import { LINE_BOX, type Picture, type PictureGap, type VariableLook } from "./variable-look.ts";
import styles from "./VariablePicture.module.css";

export interface VariablePictureProps {
  readonly name: string;
  /** The array's path; other parts of the page show the picture next to its name. */
  readonly path: string;
  readonly look: VariableLook;
  readonly onRead: () => void;
  readonly large?: boolean;
}

export function VariablePicture({ name, path, look, onRead, large = false }: VariablePictureProps) {
  const picture = look.kind === "values" ? look.picture : undefined;
  return (
    <div className={styles.box} data-look={look.kind} data-large={large}>
      {picture === undefined ? (
        <NoPicture name={name} look={look} onRead={onRead} />
      ) : (
        <div
          role="img"
          aria-label={pictureWords(name, look)}
          title={pictureWords(name, look)}
          className={styles.picture}
        >
          {picture.kind === "image" ? <Image picture={picture} path={path} /> : <Line picture={picture} />}
          {picture.gaps.map((gap) => (
            <Gap key={`${gap.top} ${gap.left}`} gap={gap} />
          ))}
        </div>
      )}
    </div>
  );
}

/** Why there is none. */
function NoPicture({ name, look, onRead }: Pick<VariablePictureProps, "name" | "look" | "onRead">) {
  if (look.kind === "unread") {
    return (
      <Button className={styles.read} aria-label={`Read ${name}`} onClick={onRead}>
        Read
      </Button>
    );
  }
  if (look.kind === "failed") {
    return (
      <div role="img" aria-label={`Reading ${name} failed`} className={styles.failed}>
        <Cross />
      </div>
    );
  }
  return <span className={styles.words}>{WORDS[look.kind]}</span>;
}

const WORDS: Readonly<Record<Exclude<VariableLook["kind"], "unread" | "failed">, string>> = {
  waiting: "",
  reading: "",
  none: "no picture",
  axis: "",
  values: "one value",
};

/** "Picture of sst, 1 of 9 chunks failed" */
function pictureWords(name: string, look: VariableLook): string {
  if (look.kind !== "values") return "";
  const of = look.isAll ? "" : ", of its first plane";
  const failed = look.failed === 0 ? "" : `: ${formatCount(look.failed)} of ${formatCount(look.chunks)} chunks failed`;
  return `Picture of ${name}${of}${failed}`;
}

interface ImageProps extends Pick<VariablePictureProps, "path"> {
  readonly picture: Extract<Picture, { kind: "image" }>;
}

function Image({ picture, path }: ImageProps) {
  const ref = useRef<HTMLCanvasElement>(null);
  const set = useAppState((state) => state.set?.id);
  useEffect(() => {
    const { current } = ref;
    if (current === null) return;
    current.getContext("2d")?.putImageData(new ImageData(picture.pixels, picture.width, picture.height), 0, 0);
    if (set !== undefined) keepThumbnail(set, path, current);
  }, [picture, set, path]);
  return <canvas ref={ref} width={picture.width} height={picture.height} />;
}

function Line({ picture }: { readonly picture: Extract<Picture, { kind: "line" }> }) {
  return (
    <svg viewBox={`-2 -4 ${LINE_BOX.width + 4} ${LINE_BOX.height + 8}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={picture.path} />
    </svg>
  );
}

const cssShare = (share: number) => `${share * 100}%`;

function Gap({ gap }: { readonly gap: PictureGap }) {
  const { kind, top, left, height, width } = gap;
  const place = { top: cssShare(top), left: cssShare(left), height: cssShare(height), width: cssShare(width) };
  return (
    <span className={styles.gap} data-kind={kind} style={place}>
      {kind === "failed" ? <Cross /> : null}
    </span>
  );
}

function Cross() {
  return <Icon className={styles.cross} side={16} path="m4 4 8 8M12 4l-8 8" />;
}
