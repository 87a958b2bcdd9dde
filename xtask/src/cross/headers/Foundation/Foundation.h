// What the one Objective-C file among our dependencies (notifications) asks of Foundation and AppKit: names, arguments and values,
// as Apple's documentation gives them. Apple's own headers are in its SDK, which is not on other systems.
#pragma once
#include <dispatch/dispatch.h>
#include <limits.h>
#include <objc/NSObject.h>
#include <objc/runtime.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef double NSTimeInterval;
typedef const struct __CFString *CFStringRef;
typedef const struct __CFArray *CFArrayRef;
typedef struct __CFError *CFErrorRef;

@class NSString, NSArray, NSDictionary, NSDate, NSURL;

// Loops over collections.
typedef struct {
  unsigned long state;
  id *itemsPtr;
  unsigned long *mutationsPtr;
  unsigned long extra[5];
} NSFastEnumerationState;

@interface NSObject (Values)
- (id)valueForKey:(NSString *)key;
- (void)setValue:(id)value forKey:(NSString *)key;
@end

@interface NSString : NSObject
+ (instancetype)stringWithFormat:(NSString *)format, ...;
- (NSUInteger)length;
- (const char *)UTF8String;
- (BOOL)isEqualToString:(NSString *)other;
- (double)doubleValue;
- (NSArray *)componentsSeparatedByString:(NSString *)separator;
@end

// The compiler makes literals of it.
@interface NSConstantString : NSString
@end

@interface NSNumber : NSObject
+ (NSNumber *)numberWithBool:(BOOL)value;
+ (NSNumber *)numberWithInt:(int)value;
- (unsigned long long)unsignedLongLongValue;
@end

@interface NSArray : NSObject
@property(readonly) NSUInteger count;
- (id)objectAtIndexedSubscript:(NSUInteger)index;
- (NSUInteger)countByEnumeratingWithState:(NSFastEnumerationState *)state
                                  objects:(id *)buffer
                                    count:(NSUInteger)length;
@end

@interface NSDictionary : NSObject
- (id)objectForKeyedSubscript:(id)key;
@end

@interface NSAttributedString : NSObject
@property(readonly, copy) NSString *string;
@end

@interface NSData : NSObject
+ (instancetype)dataWithBytes:(const void *)bytes length:(NSUInteger)length;
@property(readonly) const void *bytes;
@end

@interface NSDate : NSObject
+ (instancetype)date;
+ (instancetype)dateWithTimeIntervalSinceNow:(NSTimeInterval)seconds;
+ (instancetype)dateWithTimeIntervalSince1970:(NSTimeInterval)seconds;
@property(readonly) NSTimeInterval timeIntervalSinceNow;
@end

@interface NSURL : NSObject
+ (instancetype)URLWithString:(NSString *)text;
+ (NSURL *)fileURLWithPath:(NSString *)path;
@property(readonly, copy) NSString *scheme;
@end

@interface NSUUID : NSObject
- (instancetype)initWithUUIDString:(NSString *)text;
- (instancetype)initWithUUIDBytes:(const unsigned char *)bytes;
- (void)getUUIDBytes:(unsigned char *)bytes;
@property(readonly, copy) NSString *UUIDString;
@end

@interface NSBundle : NSObject
+ (NSBundle *)mainBundle;
@property(readonly, copy) NSString *bundleIdentifier;
@end

@interface NSThread : NSObject
@property(class, readonly) BOOL isMainThread;
@end

@interface NSTimer : NSObject
+ (NSTimer *)timerWithTimeInterval:(NSTimeInterval)seconds repeats:(BOOL)repeats block:(void (^)(NSTimer *timer))block;
- (void)invalidate;
@end

extern NSString *const NSDefaultRunLoopMode;

@interface NSRunLoop : NSObject
+ (NSRunLoop *)currentRunLoop;
+ (NSRunLoop *)mainRunLoop;
- (void)runUntilDate:(NSDate *)limit;
- (void)addTimer:(NSTimer *)timer forMode:(NSString *)mode;
@end

@interface NSAppleEventDescriptor : NSObject
@property(readonly, copy) NSString *stringValue;
@end

@interface NSAppleScript : NSObject
- (instancetype)initWithSource:(NSString *)source;
- (NSAppleEventDescriptor *)executeAndReturnError:(NSDictionary **)error;
@end

@class NSImage;

typedef enum : NSInteger {
  NSUserNotificationActivationTypeNone = 0,
  NSUserNotificationActivationTypeContentsClicked = 1,
  NSUserNotificationActivationTypeActionButtonClicked = 2,
  NSUserNotificationActivationTypeReplied = 3,
  NSUserNotificationActivationTypeAdditionalActionClicked = 4,
} NSUserNotificationActivationType;

extern NSString *const NSUserNotificationDefaultSoundName;

@interface NSUserNotification : NSObject
@property(copy) NSString *identifier;
@property(copy) NSString *title;
@property(copy) NSString *subtitle;
@property(copy) NSString *informativeText;
@property(copy) NSString *soundName;
@property(copy) NSDate *deliveryDate;
@property(copy) NSString *actionButtonTitle;
@property(copy) NSString *otherButtonTitle;
@property(copy) NSString *responsePlaceholder;
@property(copy) NSImage *contentImage;
@property BOOL hasActionButton;
@property BOOL hasReplyButton;
@property(readonly) NSUserNotificationActivationType activationType;
@property(readonly, copy) NSAttributedString *response;
@end

@class NSUserNotificationCenter;

@protocol NSUserNotificationCenterDelegate <NSObject>
@optional
- (void)userNotificationCenter:(NSUserNotificationCenter *)center didDeliverNotification:(NSUserNotification *)notification;
- (void)userNotificationCenter:(NSUserNotificationCenter *)center didActivateNotification:(NSUserNotification *)notification;
@end

@interface NSUserNotificationCenter : NSObject
+ (NSUserNotificationCenter *)defaultUserNotificationCenter;
@property(assign) id<NSUserNotificationCenterDelegate> delegate;
@property(readonly, copy) NSArray *deliveredNotifications;
- (void)deliverNotification:(NSUserNotification *)notification;
- (void)scheduleNotification:(NSUserNotification *)notification;
- (void)removeDeliveredNotification:(NSUserNotification *)notification;
@end
